"""What a launch leaves: arrays, the report, and views of it."""

from __future__ import annotations

import ctypes as C
import html
import json
from typing import Any, Iterable, Optional

from . import _library as L
from . import capi

_SORTS = ("pc", "cycles", "executed", "latency", "stall")
_OUTCOMES = {capi.gcnsim_status.GCNSIM_OK: "completed", capi.gcnsim_status.GCNSIM_ERROR_FAULT: "fault",
             capi.gcnsim_status.GCNSIM_ERROR_INTERRUPTED: "interrupted", capi.gcnsim_status.GCNSIM_ERROR_RUN_LIMIT: "limit"}


def _annotate(sort: str, top: int, function: Optional[str]) -> Any:
    options = capi.struct_gcnsim_annotate()
    capi.gcnsim_annotate_init(options)
    options.sort = _SORTS.index(sort)
    options.top = L.whole(top, "top", (1 << 32) - 1)
    options.function = None if function is None else L.text_bytes(function, "function")
    return C.byref(options)


class Fault(Exception):
    """The kernel faulted, or did not reach its end. `result` has the report so far."""

    def __init__(self, result: "Result"):
        if not isinstance(result, Result):
            raise TypeError(f"result: {type(result).__name__}; expected a Result")
        super().__init__(result.message)
        self.result = result


class Result:
    """A finished launch, which outlives its simulator. args: the arguments with arrays as the kernel has left them.
    report: docs/REPORT.md's JSON. timeline: the text of the wave that run(timeline=...) asked for."""

    args: list[Any]
    timeline: Optional[str]
    _handle: L.Handle
    _report: Optional[dict[str, Any]]

    @classmethod
    def _of(cls, handle: L.Handle, args: list[Any], strict: bool, timeline: Optional[str] = None) -> "Result":
        self = cls.__new__(cls)
        self._handle = handle
        self._report = None
        self.args = args
        self.timeline = timeline
        if strict and self.outcome != "completed":
            raise Fault(self)
        return self

    @property
    def outcome(self) -> str:
        """ "completed", "fault", "limit" or "interrupted"."""
        return _OUTCOMES[L.ask("gcnsim_result_status", self._handle)]

    @property
    def report(self) -> dict[str, Any]:
        """The report as a dict; parts that the run does not have are None."""
        report = self._report
        if report is None:
            report = self._report = dict(json.loads(self.json()))
        return report

    @property
    def message(self) -> str:
        """Why the run ended early; empty when it is completed."""
        fault = self.report.get("fault")
        return (fault or {}).get("message") or self.report.get("message") or self.outcome

    @property
    def cycles(self) -> Optional[int]:
        """Shader clock cycles; None of the functional engine."""
        return self.report.get("cycles")

    @property
    def instructions(self) -> Optional[list[dict[str, Any]]]:
        """What each instruction did, in the order of the code (the report's "code"); None without per_instruction. Counts
        that are 0 are left out."""
        code = self.report.get("code")
        return None if code is None else code["instructions"]

    @property
    def fidelity(self) -> dict[str, Any]:
        """How far the result can be believed (docs/FIDELITY.md): "semantics" and "timing" count the instructions executed,
        "cycles" has the "shares" of the wave-cycles by how sure the figures are that they rest on, and those "figures"."""
        return dict(self.report["fidelity"])

    def __getitem__(self, index: int) -> Any:
        return self.args[index]

    def json(self) -> str:
        """The report as JSON text."""
        return L.take_text("gcnsim_result_json", self._handle)

    def text(self) -> str:
        """The report for people."""
        return L.take_text("gcnsim_result_text", self._handle)

    def csv(self) -> str:
        """The statistics as lines of name,unit,value."""
        return L.take_text("gcnsim_result_csv", self._handle)

    def annotate(self, sort: str = "pc", top: int = 0, function: Optional[str] = None) -> str:
        """What each source line and instruction cost (docs/ANNOTATE.md); of a run with per_instruction.

        sort: "pc", "cycles", "executed", "latency" or "stall". top: so many rows of each table; 0: all. function: of that
        function alone.
        """
        return L.take_text("gcnsim_result_annotated", self._handle, _annotate(sort, top, function))

    def instructions_csv(self) -> str:
        """The instructions with the columns of rocprofv3's thread traces; of a run with per_instruction."""
        return L.take_text("gcnsim_result_instructions_csv", self._handle)

    def counters_csv(self) -> str:
        """Counters by AMD's names, as rocprofv3 writes them (docs/COUNTERS.md)."""
        return L.take_text("gcnsim_result_counters_csv", self._handle)

    def html(self) -> str:
        """A page for browsers (docs/HTML.md); fullest of a run with per_instruction and samples."""
        return L.take_text("gcnsim_result_html", self._handle, None)

    def _repr_html_(self) -> str:
        """The report in a notebook."""
        return "<pre>" + html.escape(self.text()) + "</pre>"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<gcnsim.Result {self.report.get('kernel')}: {self.outcome}, {self.cycles} cycles>"


class Sum:
    """Launches of one code object together, which ran with per_instruction: their counts by instruction, added up."""

    def __init__(self, results: Iterable[Result] = ()):
        self._handle = L.opened("sum", "gcnsim_sum_free", "gcnsim_sum_open", L.OUT)
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Adds one; GcnsimError when it did not count, or is of other code or another profile."""
        if not isinstance(result, Result):
            raise TypeError(f"result: {type(result).__name__}; expected a Result")
        L.call("gcnsim_sum_add", self._handle, result._handle)

    def __len__(self) -> int:
        """How many there are."""
        return int(L.ask("gcnsim_sum_launches", self._handle))

    def stat(self, name: str) -> float:
        """A statistic that counts, such as "cycles" or "cache.l2.misses", added up."""
        return float(L.ask("gcnsim_sum_stat", self._handle, L.text_bytes(name, "name")))

    def annotate(self, sort: str = "pc", top: int = 0, function: Optional[str] = None) -> str:
        """As Result.annotate(), of all of them."""
        return L.take_text("gcnsim_sum_annotated", self._handle, _annotate(sort, top, function))

    def instructions_csv(self) -> str:
        """As Result.instructions_csv(), of all of them."""
        return L.take_text("gcnsim_sum_instructions_csv", self._handle, 1, 0)
