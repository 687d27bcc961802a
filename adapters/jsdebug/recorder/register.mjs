// Is imported behind the hooks that make JavaScript of something else.
globalThis[Symbol.for('aidb.recorder')]?.loads.need(true);
