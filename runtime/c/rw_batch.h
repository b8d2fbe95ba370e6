/* Many states side by side, stepped without Python's lock by as many threads as asked for. */
