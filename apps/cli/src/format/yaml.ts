/** A value in YAML, which reads back exactly. Values with line breaks stand on their own lines, as they are. */
export async function yamlOf(value: unknown): Promise<string> {
  const { Scalar, stringify } = await import('yaml');
  // In a block the library loses the spaces of a line where no line has anything else.
  const exact = (_name: unknown, one: unknown) =>
    typeof one === 'string' && one !== '' && one.trim() === ''
      ? Object.assign(new Scalar(one), { type: 'QUOTE_DOUBLE' })
      : one;
  // Readers of YAML 1.1 take `no` for a boolean and `12_34` for a number.
  return stringify(value, exact, { lineWidth: 0, compat: 'yaml-1.1' });
}
