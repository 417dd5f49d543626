"""Summaries: a function returns the values of `tf.summary` under their kinds and tags, and the program writes them.

`merged = tf.summary.merge_all()` becomes a dict of values in the function that computes them. The step of a summary is
known where `add_summary` writes it, so that it is written there.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence

from codemods.names import Names
from codemods.native import image_summaries
from codemods.native.items import Body, Item
from codemods.native.kinds import OF_VARIABLES, Kind, calls_of, v1_name
from codemods.native.layers import is_scope
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation
from codemods.tree import walk

ADD_SUMMARY = '''\
def add_summary(writer, summary, global_step=None):
    """Writes what a function summarised: a value for each kind of summary and tag."""
    with writer.as_default(global_step or 0):
        for (kind, tag), value in summary.items():
            getattr(tf.summary, kind)(re.sub(r"[^-/\\w.]", "_", tag), value)
'''
"""The function that a program with summaries gets once. TensorFlow 1 cleaned tags in the same way."""

_OLD_KINDS = ("scalar_summary", "histogram_summary", "image_summary")
"""Those of 0.x: (tags, values). A scope does not change their tags (`logging_ops.py` of 0.12.1)."""
_KINDS = ("summary.scalar", "summary.histogram", "summary.image", *_OLD_KINDS)
_SUMMARIES = ("summary.audio", "summary.text", "summary.tensor_summary")
_WRITING = frozenset(("add_summary", "flush", "close"))


def link(body: Body, names: Names, place: str) -> None:
    """Notes that statements add to the summaries of the graph, and that `merge_all` reads them.

    Args:
        body: The statements, which get `place` among what they read and write.
        names: The meanings of names.
        place: What holds the summaries in a function.

    Raises:
        NotNativeError: A summary has options, or stands where its tag is not certain.
    """
    merging = [item for item in body.items if _calls(item, names, ("summary.merge_all",))]
    for item in merging:
        item.reads |= {place}
    tags: set[str] = set()
    for item in body.items:
        others = _calls(item, names, _SUMMARIES)
        if others:
            message = f"{ast.unparse(others[0].func)} has no counterpart in native code; remove it"
            raise NotNativeError(others[0], "NAT001", message)
        made = _calls(item, names, _KINDS)
        if not made:
            continue
        if item.kind is not Kind.SUMMARY:
            raise NotNativeError(
                made[0], "NAT008", "this summary is made in a function, or with a run; make it outside"
            )
        for call in made:
            _require_plain(call, item, body, names, tags)
        if merging:
            item.reads |= {place}
            item.writes |= {place}


def write_calls(translation: Translation, body: Body, place: str) -> None:
    """Writes the calls that make, merge and write summaries."""
    names = translation.names
    merges = any(_calls(item, names, ("summary.merge_all",)) for item in body.items)
    for item in body.items:
        prefix = _prefix(item, names)
        for call in _calls(item, names, _KINDS):
            _summary(translation, call, prefix, place if merges else "")
        for call in _calls(item, names, ("summary.merge_all",)):
            translation.put(call, f"dict({place})")
        merging = _calls(item, names, ("summary.merge",))
        for call in sorted(merging, key=lambda call: -translation.source.span(call)[0]):  # the innermost first
            _merge(translation, call)
        for call in _calls(item, names, ("summary.FileWriter",)):
            folder = translation.argument(call, 0, "logdir")
            if folder is not None:
                translation.put(call, f"{translation.tf}.summary.create_file_writer({translation.text(folder)})")
    for call in written(names):
        assert isinstance(call.func, ast.Attribute)
        start = translation.source.span(call)[0]
        writer = translation.text(call.func.value)
        end = translation.source.span(call.args[0] if call.args else call.keywords[0])[0]
        translation.source.replace((start, end), f"add_summary({writer}, ")
        translation.imports.add("re")


def written(names: Names) -> list[ast.Call]:
    """Returns the calls that write a summary."""
    calls = (node for node in names.nodes.get(ast.Call, []) if isinstance(node, ast.Call))
    return [
        call
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "add_summary" and (call.args or call.keywords)
    ]


def function_that_writes(translation: Translation) -> list[str]:
    """Returns the function that writes summaries, if the program needs it."""
    if not written(translation.names):
        return []
    return [image_summaries.ADD_SUMMARY if image_summaries.SCALED in translation.formulas else ADD_SUMMARY]


def made_writers(names: Names) -> list[ast.Call]:
    """Returns the calls that make writers; the session and the graph among their arguments vanish."""
    return list(calls_of(names.nodes.get(ast.Call, []), names, ("summary.FileWriter",)))


def keep_writers(body: Body, tree: ast.Module, names: Names) -> None:
    """Leaves the writers whose methods the program calls. One that only has the graph vanishes.

    Raises:
        NotNativeError: A method has no counterpart.
    """
    made = made_writers(names)
    for node in walk(tree):
        if isinstance(node, ast.Attribute) and node.value in made and node.attr not in _WRITING:
            raise NotNativeError(node, "NAT001", f"the method {node.attr} of a writer has no counterpart")
    for item in body.items:
        if item.kind is not Kind.WRITER or not isinstance(item.node, ast.Assign):
            continue
        shown = [ast.unparse(target) for target in item.node.targets]
        methods = [
            node
            for node in walk(tree)
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).split(".")[-1] == shown[0].split(".")[-1]
            if node.attr != "add_graph"  # its statement vanishes
        ]
        for method in methods:
            if method.attr not in _WRITING:
                raise NotNativeError(method, "NAT001", f"the method {method.attr} of a writer has no counterpart")
        if methods or _is_given(shown[0], tree):
            item.kind = Kind.PYTHON


def _is_given(name: str, tree: ast.Module) -> bool:
    """Returns whether a writer is an argument of a call."""
    calls = (node for node in walk(tree) if isinstance(node, ast.Call))
    return any(ast.unparse(part) == name for call in calls for part in (*call.args, *(k.value for k in call.keywords)))


def open_orders(items: Sequence[Item]) -> Iterator[str]:
    """Yields what TensorFlow 1 left open in a function that trains, and summarises variables."""
    made = [item for item in items if item.kind is Kind.SUMMARY]
    kinds = {
        kind for item in [*made, *only_summarised(items)] for place, kind in item.places.items() if place in item.reads
    }
    collected = any("trainable_variables" in ast.unparse(item.node) for item in made)
    if any(item.kind is Kind.TRAIN for item in items) and (collected or kinds & OF_VARIABLES):
        yield (
            "TensorFlow 1 left open whether summaries of variables are made before or after the step; "
            "they are those before it"
        )


def only_summarised(items: Sequence[Item], fetched: Container[str | None] = ()) -> list[Item]:
    """Returns the statements of a function that make tensors which nothing but its summaries reads.

    Args:
        items: The statements of the function, in their order.
        fetched: The places of its results.
    """
    made: list[Item] = []
    for item in reversed(items):
        readers = [other for other in items if other is not item and other.reads & item.writes]
        known = all(reader.kind is Kind.SUMMARY or reader in made for reader in readers)
        if item.kind is Kind.TENSOR and readers and known and not any(place in fetched for place in item.writes):
            made.append(item)
    return made


def _calls(item: Item, names: Names, wanted: Sequence[str]) -> list[ast.Call]:
    return list(calls_of(walk(item.node), names, wanted))


def _require_plain(call: ast.Call, item: Item, body: Body, names: Names, tags: set[str]) -> None:
    """Refuses a summary whose tag TensorFlow 1 would have changed, or that has options.

    Raises:
        NotNativeError: It is one.
    """
    function = v1_name(names, call.func) or ""
    is_old = function in _OLD_KINDS
    given = {keyword.arg for keyword in call.keywords} - {"tags" if is_old else "name", "tensor", "values"}
    if function in image_summaries.KINDS:
        image_summaries.most_of(image_summaries.arguments(call, function), call)
    elif given or len(call.args) + len(call.keywords) != 2:
        raise NotNativeError(call, "NAT001", "a summary with options has no counterpart; remove them")
    scopes = [block for block in item.blocks if isinstance(block, ast.With)]
    unknown = any(_scope_name(part.context_expr, names) is None for block in scopes for part in block.items)
    if not is_old and (unknown or _has_twin(item, body, names)):
        message = "the source does not say what the tag of this summary begins with; make it outside the scope"
        raise NotNativeError(call, "NAT008", message)
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        tag = first.value if is_old else f"{_prefix(item, names)}{first.value}"
        if tag in tags:
            raise NotNativeError(call, "NAT008", f"two summaries have the tag {tag}; give one of them another")
        tags.add(tag)


def _has_twin(item: Item, body: Body, names: Names) -> bool:
    """Returns whether another block opens a scope of the same name as one round a statement, beside it."""
    own = dict(_opened(item, names))
    return any(path in own.values() and block not in own for i in body.items for block, path in _opened(i, names))


def _opened(item: Item, names: Names) -> Iterator[tuple[ast.With, str]]:
    """Yields the blocks round a statement that open scopes, with what names begin with inside."""
    path = ""
    for block in (block for block in item.blocks if isinstance(block, ast.With)):
        added = "".join(_scope_name(part.context_expr, names) or "" for part in block.items)
        path += added
        if added:
            yield block, path


def _scope_name(context: ast.expr, names: Names) -> str | None:
    """Returns what a `with` adds to tags: "" for a session or graph; None if the source does not say it."""
    if not is_scope(context, names):
        return ""
    assert isinstance(context, ast.Call)
    if v1_name(names, context.func) == "device":
        return ""
    first = context.args[0] if context.args else None
    return f"{first.value}/" if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def _prefix(item: Item, names: Names) -> str:
    scopes = [block for block in item.blocks if isinstance(block, ast.With)]
    return "".join(_scope_name(part.context_expr, names) or "" for block in scopes for part in block.items)


def _summary(translation: Translation, call: ast.Call, prefix: str, place: str) -> None:
    """tf.summary.scalar("loss", loss) -> summaries["scalar", "loss"] = loss."""
    function = v1_name(translation.names, call.func) or ""
    kind = function.rpartition(".")[2].removesuffix("_summary")
    is_old = function in _OLD_KINDS
    prefix = "" if is_old else prefix
    if kind == "image":
        _put(translation, call, *_images(translation, call, function, prefix), place)
        return
    tag, value = translation.argument(call, 0, "tags" if is_old else "name"), translation.argument(call, 1, "tensor")
    value = value if value is not None else translation.argument(call, 1, "values")
    assert tag is not None and value is not None
    text = translation.text(value)
    if translation.places.get(place_of(value) or "") is not Kind.TENSOR and not isinstance(value, ast.Call):
        # a variable has another value after the step, and the gradient of a table has rows alone
        text = f"{translation.tf}.convert_to_tensor({text})"
    _put(translation, call, f'"{kind}", {_tag(translation, tag, prefix)}', text, place)


def _tag(translation: Translation, tag: ast.expr, before: str, after: str = "") -> str:
    """Returns the text of a tag between two others."""
    text = translation.text(tag)
    if not before and not after:
        return text
    if isinstance(tag, ast.Constant) and isinstance(tag.value, str):
        return repr(f"{before}{tag.value}{after}")
    return " + ".join([*([repr(before)] if before else []), f"({text})", *([repr(after)] if after else [])])


def _images(translation: Translation, call: ast.Call, function: str, prefix: str) -> tuple[str, str]:
    """Returns the key and the value of a summary of images. The tag of one image alone has no number."""
    given = image_summaries.arguments(call, function)
    most = image_summaries.most_of(given, call)
    key = f'"image{"s" if most > 1 else ""}", {_tag(translation, given["tag"], prefix, "/image")}'
    return key, f"{translation.formula(image_summaries.SCALED)}({translation.text(given['tensor'])}, {most})"


def _put(translation: Translation, call: ast.Call, key: str, text: str, place: str) -> None:
    """Writes a summary as an entry of a dict."""
    source = translation.source
    statement = translation.names.parents[call]
    if place and isinstance(statement, ast.Expr):
        translation.put(call, f"{place}[{key}] = {text}")
        return
    translation.put(call, f"{{({key}): {text}}}")
    if place and isinstance(statement, ast.Assign):
        end = source.span(statement)[1]
        target = source.plain(statement.targets[0]).removeprefix("self.")
        indent = source.indent_of(statement)[source.shifted(source.lines_of(statement)[0]) :]
        source.replace((end, end), f"\n{indent}{place}.update({target})")
    elif place:
        raise NotNativeError(call, "NAT008", "give this summary a statement of its own")


def _merge(translation: Translation, call: ast.Call) -> None:
    """tf.summary.merge([a, b]) -> {**a, **b}."""
    parts = translation.argument(call, 0, "inputs")
    if isinstance(parts, ast.List):
        translation.put(call, "{" + ", ".join(f"**{translation.text(part)}" for part in parts.elts) + "}")
    elif parts is not None:
        text = translation.text(parts)
        translation.put(call, f"{{key: value for summary in {text} for key, value in summary.items()}}")
