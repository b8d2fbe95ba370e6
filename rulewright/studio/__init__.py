"""Specs edited in the browser: files on disk, changed by small edits that can be taken back."""
