export type Counts = Map<string, number>;

/** count says how often each word is in a text. */
export function count(text: string): Counts {
  const counts: Counts = new Map();
  for (const word of text.split(' ')) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts; // @mark counts
}
