"""What is known of an engine → functions that write what a seat sees into a row of numbers."""
