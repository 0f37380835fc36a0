"""The figures of answers to questions: each takes the frames of an answer, never a run."""
