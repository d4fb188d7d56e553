"""A budget of calls, tokens and money: looked at before anything is sent, and where it is used up, an error by name."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.models.chat.errors import BudgetSpent, cost_of
from pylf.models.chat.protocol import Usage

if TYPE_CHECKING:
    from pylf.models.chat.protocol import Chat, Completion, Request
    from pylf.models.chat.settings import Budget


class Budgeted:
    """A chat that sends nothing once a budget is used up.

    Stands within the layer that retries, so that a try is a call. Calls never go over. Tokens and money are known only
    afterwards: what was under way when they were used up is paid for on top. ``spent`` is what has gone so far; of a
    run that goes on it begins with what the run spent before.
    """

    def __init__(self, chat: Chat, budget: Budget, spent: Usage | None = None) -> None:
        self._chat = chat
        self._budget = budget
        self._lock = threading.Lock()
        self._spent = Usage() if spent is None else spent
        self._under_way = 0
        #: the server does not say what it bills
        self._silent = False
        self.model = chat.model
        self.identity = chat.identity

    @property
    def spent(self) -> Usage:
        """What has gone so far."""
        with self._lock:
            return self._spent

    def complete(self, request: Request) -> Completion:
        """As the chat within.

        Raises:
            BudgetSpent: nothing was sent.
        """
        with self._lock:
            self._check()
            self._under_way += 1
        used = Usage()
        silent = False
        try:
            done = self._chat.complete(request)
            used = done.usage
            silent = used.unstated > 0
        except BaseException as problem:
            used = cost_of(problem)
            raise
        finally:
            with self._lock:
                self._under_way -= 1
                self._spent += used
                self._silent |= silent
        return done

    def _check(self) -> None:
        budget, spent = self._budget, self._spent
        sent = spent.calls + spent.retries + self._under_way
        if budget.calls is not None and sent >= budget.calls:
            raise BudgetSpent(f"the budget of {budget.calls:,} calls is used up")
        if budget.tokens is not None and spent.tokens >= budget.tokens:
            raise BudgetSpent(f"the budget of {budget.tokens:,} tokens is used up: {spent.tokens:,} were billed")
        if budget.money is not None and spent.money >= budget.money:
            raise BudgetSpent(f"the budget of {budget.money:g} is used up: the calls cost {spent.money:.4g}")
        if self._silent and (budget.tokens is not None or budget.money is not None):
            raise BudgetSpent(
                "the model's server does not say how many tokens it bills, so that a budget of tokens or money cannot "
                "be kept; one of calls can"
            )


def checked_budget(budget: Budget, priced: bool) -> Budget:
    """The budget, if it can be kept.

    Raises:
        InputError: money without prices.
    """
    if budget.money is not None and not priced:
        raise InputError("there is a budget of money, and no prices: what a million tokens cost has to be said")
    return budget
