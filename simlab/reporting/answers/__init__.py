"""What an answer says: in a sentence, tables, figures and a page; one kind of question a module."""
