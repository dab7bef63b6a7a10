// What the parts of the page share: its state, its elements, and functions that later parts add.
export const page = {}
