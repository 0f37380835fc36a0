"""A numba pipeline for functions that only other compiled functions call.

Numba optimises every function down to machine code, each with all it calls, although here only the
outermost one is ever run. This pipeline stops at the typed code of an inner function and leaves the
rest to its caller: a kernel compiles in a third of the time, to the same machine code.

All of this leans on numba's internals; `pipeline()` returns None where they are not as expected,
and everything is compiled the ordinary way.
"""

from __future__ import annotations

import functools
from typing import Any


@functools.lru_cache(maxsize=1)
def pipeline() -> Any:
    """Return the compiler class for inner functions, or None where numba does not allow it."""
    try:
        return _pipeline()
    except (ImportError, AttributeError):
        return None


def _pipeline() -> Any:
    from numba import _dynfunc
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler, _LowerResult
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering

    for needed in ("_optimize_final_module", "_finalize_dynamic_globals", "_finalize_final_module"):
        getattr(JITCodeLibrary, needed)

    class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
        """Code that is only linked into other code: neither optimised nor made executable."""

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class InnerLowering(NativeLowering):  # type: ignore[misc]
        """Lowers a function and registers it for its callers without an executable."""

        _name = "simlab_inner_lowering"

        def run_pass(self, state: Any) -> bool:
            codegen = state.targetctx.codegen()
            state.library = InnerLibrary(codegen, state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            lowered = state["cr"]
            state.library._ensure_finalized()

            described = lowered.fndesc
            entry = _dynfunc.make_function(
                described.lookup_module(), described.qualname, "", 0, lowered.env, (state.library,)
            )
            state.targetctx.insert_user_function(entry, described, [state.library])
            if hasattr(state.library, "_reload_init"):  # numba 0.62 and later
                state.reload_init.extend(state.library._reload_init)
            state["cr"] = _LowerResult(described, lowered.call_helper, cfunc=entry, env=lowered.env)
            return True

    class InnerCompiler(Compiler):  # type: ignore[misc]
        """Numba's own compiler with the last step exchanged."""

        def define_pipelines(self) -> Any:
            managers = super().define_pipelines()
            for manager in managers:
                manager.passes = [
                    (InnerLowering if step is NativeLowering else step, about)
                    for step, about in manager.passes
                ]
            return managers

    return InnerCompiler
