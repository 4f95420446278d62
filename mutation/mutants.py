"""All the small changes of a file that are tried; the changes are mutmut's.

mutmut's own runner leaves out properties and cached functions, class bodies and modules' constants;
here they are changed, too.  Types, decorators and docstrings are not.
"""

import hashlib
import itertools
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import libcst as cst
from libcst.metadata import (
    MetadataWrapper,
    PositionProvider,
    WhitespaceInclusivePositionProvider,
)
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

Owner = tuple[str, int]
"""The qualified name of a function that is not inside of another, and the line it begins in."""

NOBODY: Owner = ("", 0)


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One change of one file.

    Attributes:
        key: of the change, where it is among equal ones in its function, and nothing else: it
            stays the same when other code changes.
        path: of the file, from the package on.
        line: that it is in.
        last: line of what was changed.
        owner: whose code it is; `NOBODY`'s where the module or a class runs it on import.
        before: the lines that were changed.
        after: the same after the change.
        is_text: whether a text in quotes was changed.
        source: of the whole file after the change.
    """

    key: str
    path: str
    line: int
    last: int
    owner: Owner
    before: str
    after: str
    is_text: bool
    source: str


class _Visitor(MutationVisitor):  # type: ignore[misc]
    """mutmut's, but for decorated functions, which it leaves out, and `Literal`, a type."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef):
            return False
        if isinstance(node, cst.Subscript) and getattr(node.value, "value", "") == "Literal":
            return True
        return bool(super()._skip_node_and_children(node))


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """All mutants of a file of a package's folder."""
    code = (root / path).read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(code))
    visitor = _Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    wrapper.visit(visitor)
    places = wrapper.resolve(PositionProvider)
    stretches = wrapper.resolve(WhitespaceInclusivePositionProvider)
    begins = [0, *itertools.accumulate(len(line) for line in code.splitlines(keepends=True))]
    owners: dict[cst.CSTNode, Owner] = {}
    _note_owners(wrapper.module, places, owners)
    seen: Counter[str] = Counter()
    found = []
    for mutation in visitor.mutations:
        old, new = mutation.original_node, mutation.mutated_node
        low, high = (
            begins[place.line - 1] + place.column
            for place in (stretches[old].start, stretches[old].end)
        )
        if isinstance(old, cst.Match):  # its text is not the same in another place
            source = wrapper.module.deep_replace(old, new).code
        else:
            source = code[:low] + wrapper.module.code_for_node(new) + code[high:]
        begin, end = code.rfind("\n", 0, low) + 1, code.find("\n", high)
        before = code[begin:end].strip()
        after = source[begin : end + len(source) - len(code)].strip()
        owner = owners.get(old, NOBODY)
        identity = "\n".join((path, owner[0], before, after))
        seen[identity] += 1
        key = hashlib.sha256(f"{identity}\n{seen[identity]}".encode()).hexdigest()[:16]
        found.append(
            Mutant(
                key=key,
                path=path,
                line=places[old].start.line,
                last=places[old].end.line,
                owner=owner,
                before=before,
                after=after,
                is_text=isinstance(old, cst.BaseString),
                source=source,
            )
        )
    return found


def _note_owners(
    node: cst.CSTNode,
    places: Any,
    owners: dict[cst.CSTNode, Owner],
    scope: str = "",
    owner: Owner = NOBODY,
) -> None:
    for child in node.children:
        within = scope
        if isinstance(child, cst.FunctionDef | cst.ClassDef) and owner == NOBODY:
            within = f"{scope}.{child.name.value}".lstrip(".")
            if isinstance(child, cst.FunctionDef):
                first = child.decorators[0] if child.decorators else child
                mine = within, places[first].start.line
                # The defaults of parameters are made when the module is.
                _note_owners(child.params, places, owners, within, owner)
                _note_owners(child.body, places, owners, within, mine)
                owners[child.body] = mine
                continue
        owners[child] = owner
        _note_owners(child, places, owners, within, owner)
