"""`StructureCoder`, which encodes nested structures in 1.15. TensorFlow 2 has functions instead."""

from __future__ import annotations

from typing import Any

from tf2bridge.behaviour.installed import private
from tf2bridge.internals import saving


class StructureCoder:
    """Nested structures of tensors' specs, types and Python values as messages, and back."""

    def encode_structure(self, nested_structure: Any) -> Any:
        """Returns the message, as 1.15 wrote it. Raises NotEncodableError for what cannot be encoded."""
        return _without_counts(_coder().encode_structure(nested_structure))

    def can_encode(self, nested_structure: Any) -> bool:
        """Returns whether `encode_structure` would succeed."""
        return bool(_coder().can_encode(nested_structure))

    def decode_proto(self, proto: Any) -> Any:
        """Returns the structure of a message."""
        return _coder().decode_proto(proto)


def _without_counts(message: Any) -> Any:
    """Returns the message without the numbers of components that TensorFlow 2 adds to specs."""
    for field, value in message.ListFields():
        if field.name == "num_flat_components":
            message.ClearField(field.name)
        elif field.message_type is not None:
            for part in value.values() if hasattr(value, "values") and hasattr(value, "keys") else _parts(value):
                _without_counts(part)
    return message


def _parts(value: Any) -> Any:
    return [value] if hasattr(value, "ListFields") else value


def _coder() -> Any:
    return private(saving, "nested_structure_coder")
