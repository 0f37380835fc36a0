"""Numbers the groups of a table, the same in every piece of a data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simlab.errors import UserError

MOST_VALUES = 200
"""More groups than this make no table that anyone reads."""


class Groups:
    """The groups of one column: codes from 0 in order of discovery, values, order of display.

    Strategies are known from the first frame on, in the order of their enum, whether or not they
    play; the values of any other column are found as they come.
    """

    def __init__(
        self, by: str, labels: Sequence[str] | None = None, words: bool | None = None
    ) -> None:
        """Group by the column `by`; `labels` name the strategies, one for each enum category.

        words: whether all words of an enum are groups, as the strategies are (the default).
        """
        self._by = by
        self._labels = labels
        self._values: pl.Series | None = None
        self._may_be_words = by == "strategy" if words is None else words
        self._words = False

    def __len__(self) -> int:
        """Return the number of groups known so far."""
        return 0 if self._values is None else len(self._values)

    def codes(self, column: pl.Series) -> NDArray[np.integer]:
        """Return the group of each row, integers [N].

        UserError if the column has more than 200 different values (words known beforehand may be
        more); ValueError if such words of two frames, or strategies and labels, do not agree.
        """
        if self._may_be_words and isinstance(column.dtype, pl.Enum):
            self._learn_words(column.dtype.categories)
            return column.to_physical().to_numpy()
        known = self._learn(column.unique())
        numbers = pl.Series(np.arange(len(known), dtype=np.uint8))
        return column.replace_strict(known, numbers, return_dtype=pl.UInt8).to_numpy()

    def in_order(self) -> list[tuple[int, Any]]:
        """Return code and value of each group in the order of display (None last)."""
        if self._values is None:
            return []
        if self._words:
            return list(enumerate(self._labels or self._values))
        order = self._values.arg_sort(nulls_last=True)
        return list(zip(order, self._values.gather(order), strict=True))

    def _learn_words(self, names: pl.Series) -> None:
        """Take the words from the first frame; refuse frames that have others."""
        if self._values is None:
            self._values, self._words = names, True
        if not names.equals(self._values):
            raise ValueError(f"the frames differ in the categories of '{self._by}'")
        if self._labels is not None and len(self._labels) != len(names):
            raise ValueError(f"{len(self._labels)} labels for {len(names)} strategies")

    def _learn(self, found: pl.Series) -> pl.Series:
        """Add the values not yet known and return all, each at the place of its code."""
        if self._values is None:
            self._values = found.clear()
        new = found.filter(~found.is_in(self._values.implode(), nulls_equal=True))
        if len(self._values) + len(new) > MOST_VALUES:
            raise UserError(
                f"'{self._by}' has at least {len(self._values) + len(new)} different values,"
                f" but a table shows at most {MOST_VALUES}; choose another column, such as seat."
            )
        self._values = self._values.append(new)
        return self._values
