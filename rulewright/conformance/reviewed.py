"""A spec's `mutants.yaml` → mutants that were looked at and change nothing, with the reason for each."""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler.read.yaml_nodes import Fields, YMap, as_list, as_text
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Sources, read_text


def read_reviewed(path: Path, display: str, sources: Sources, problems: Problems) -> dict[str, str]:
    """spec/<game>/mutants.yaml: mutants that change nothing, with the reason for each."""
    if not path.is_file():
        return {}
    source = read_text(path, display, sources, problems)
    found: dict[str, str] = {}
    documents = [] if source is None else read_yaml(source, problems)
    for document in documents:
        items = as_list(document, problems, "the list of reviewed mutants")
        for item in items.items if items is not None else []:
            if not isinstance(item, YMap):
                problems.error(
                    "RW0135",
                    item.span,
                    "a reviewed mutant is a mapping",
                    expected="{mutant: id, because: reason}",
                )
                continue
            fields = Fields(item, problems, "a reviewed mutant")
            name, because = fields.need("mutant"), fields.need("because")
            fields.take("change")
            fields.finish()
            if name is not None and because is not None:
                key = as_text(name, problems, "the mutant's id")
                reason = as_text(because, problems, "the reason")
                if key and reason:
                    found[key] = reason
    return found
