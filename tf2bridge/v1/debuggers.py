"""tfdbg's sessions and hooks with the parameters of 1.15: `log_usage`, which did nothing, and the curses interface.

TensorFlow 2 has only the readline interface (python/debug/cli/ui_factory.py of 2.21), which stands for both.
"""

from __future__ import annotations

from typing import Any

from tf2bridge.internals.sessions import dumping_wrapper, grpc_wrapper, hooks, local_cli_wrapper


class LocalCLIDebugWrapperSession(local_cli_wrapper.LocalCLIDebugWrapperSession):  # type: ignore[misc]  # no types
    """A session whose runs are debugged in the terminal."""

    def __init__(
        self,
        sess: Any,
        dump_root: str | None = None,
        log_usage: bool = True,
        ui_type: str = "curses",
        thread_name_filter: str | None = None,
        config_file_path: Any = False,
    ) -> None:
        del log_usage
        super().__init__(sess, dump_root, _interface(ui_type), thread_name_filter, config_file_path)


class LocalCLIDebugHook(hooks.LocalCLIDebugHook):  # type: ignore[misc]  # no types
    """A hook that debugs runs in the terminal."""

    def __init__(
        self,
        ui_type: str = "curses",
        dump_root: str | None = None,
        thread_name_filter: str | None = None,
        config_file_path: Any = None,
    ) -> None:
        super().__init__(_interface(ui_type), dump_root, thread_name_filter, config_file_path)


class DumpingDebugWrapperSession(dumping_wrapper.DumpingDebugWrapperSession):  # type: ignore[misc]  # no types
    """A session that writes what its runs compute below `session_root`."""

    def __init__(
        self,
        sess: Any,
        session_root: str,
        watch_fn: Any = None,
        thread_name_filter: str | None = None,
        pass_through_operrors: bool | None = None,
        log_usage: bool = True,
    ) -> None:
        del log_usage
        super().__init__(sess, session_root, watch_fn, thread_name_filter, pass_through_operrors)


class DumpingDebugHook(hooks.DumpingDebugHook):  # type: ignore[misc]  # no types
    """A hook that writes what runs compute below `session_root`."""

    def __init__(
        self, session_root: str, watch_fn: Any = None, thread_name_filter: str | None = None, log_usage: bool = True
    ) -> None:
        del log_usage
        super().__init__(session_root, watch_fn, thread_name_filter)


class GrpcDebugWrapperSession(grpc_wrapper.GrpcDebugWrapperSession):  # type: ignore[misc]  # no types
    """A session that sends what its runs compute to debug servers."""

    def __init__(
        self,
        sess: Any,
        grpc_debug_server_addresses: Any,
        watch_fn: Any = None,
        thread_name_filter: str | None = None,
        log_usage: bool = True,
    ) -> None:
        del log_usage
        super().__init__(sess, grpc_debug_server_addresses, watch_fn, thread_name_filter)


class GrpcDebugHook(hooks.GrpcDebugHook):  # type: ignore[misc]  # no types
    """A hook that sends what runs compute to debug servers."""

    def __init__(
        self,
        grpc_debug_server_addresses: Any,
        watch_fn: Any = None,
        thread_name_filter: str | None = None,
        log_usage: bool = True,
    ) -> None:
        del log_usage
        super().__init__(grpc_debug_server_addresses, watch_fn, thread_name_filter)


def _interface(ui_type: str) -> str:
    return "readline" if ui_type == "curses" else ui_type
