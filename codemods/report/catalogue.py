"""Lists and explains the rules, from their own texts and examples."""

from __future__ import annotations

import json
import sys
import textwrap

import click
from rich.console import Console
from rich.table import Table

from codemods.native.reasons import REASONS
from codemods.registry import all_rules, rule_of
from codemods.rule import Example


def list_rules(output_format: str) -> None:
    """Prints code, safety, name and summary of every rule."""
    if output_format == "json":
        rows = [
            {"code": r.code, "name": r.name, "safety": r.safety.value, "summary": r.summary, "targets": r.targets}
            for r in all_rules()
        ]
        click.echo(json.dumps(rows, indent=1))
        return
    if output_format == "markdown":
        click.echo(markdown())
        return
    if not sys.stdout.isatty():
        for rule in all_rules():
            click.echo(f"{rule.code}\t{rule.safety.value}\t{rule.name}\t{rule.summary}")
        return
    table = Table("code", "safety", "rule", "what it does", box=None)
    for rule in all_rules():
        table.add_row(rule.code, rule.safety.value, rule.name, rule.summary)
    Console(emoji=False).print(table, markup=False)


def markdown() -> str:
    """Returns the rules as a Markdown table."""
    rows = [f"| {r.code} | {r.name} | {r.safety.value} | {_cell(r.summary)} |" for r in all_rules()]
    return "\n".join(["| code | rule | safety | what it does |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("](", "]\\(")


def explain(code: str) -> None:
    """Prints a rule's summary, reason and examples, or what a code of the target native means.

    Raises:
        UnknownCodeError: There is no such code.
    """
    if code.upper() in REASONS:
        click.echo(REASONS[code.upper()].text())
        return
    rule = rule_of(code, REASONS)
    click.echo(f"{rule.code} {rule.name} ({rule.safety.value})\n{rule.summary}\n")
    click.echo(textwrap.fill(rule.why, 100))
    for example in rule.examples:
        click.echo("\n" + _shown(example))


def _shown(example: Example) -> str:
    options = [f"--target {example.target}"] if example.target != "compat" else []
    if example.from_version != "auto":
        options.append(f"--from-version {example.from_version}")
    if example.unsafe_fixes:
        options.append("--unsafe-fixes")
    named = f" ({' '.join(options)})" if options else ""
    before = textwrap.indent(example.before.rstrip("\n"), "    ")
    if example.after is None:
        return f"{'Reported, not changed' if example.reported else 'Left alone'}{named}:\n{before}"
    after = textwrap.indent(example.after.rstrip("\n"), "    ")
    return f"Before{named}:\n{before}\nAfter:\n{after}"
