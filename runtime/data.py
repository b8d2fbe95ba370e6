"""What goes out of the runtime as JSON: saves, views, actions, reasons, previews.

What comes in is `object` until `given.py` has read it; what goes out is made here and may be looked into as it is, so its values are not
narrowed again by whoever reads them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
# a value of the rules as the engine keeps it (a number, a mask, a list) or as people read it (a name, a number, a list); which one the type
# says that stands beside it, so that Python's types can't
Value: TypeAlias = Any
