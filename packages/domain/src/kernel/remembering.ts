/**
 * Remembers what was made of a text, where making it costs more than to look it up and the same texts come again. When
 * `maxEntries` are known it forgets all. What is made of texts with more than `maxLength` characters is not kept.
 */
export function remembering<Value extends string | boolean>(
  make: (text: string) => Value,
  maxEntries: number,
  maxLength = Infinity,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let made = known.get(text);
    if (made !== undefined) return made;
    made = make(text);
    if (known.size >= maxEntries) known.clear();
    if (text.length <= maxLength) known.set(text, made);
    return made;
  };
}
