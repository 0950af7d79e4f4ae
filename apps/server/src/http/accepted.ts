/** What a header such as `Accept-Encoding` names, in lower case, with its weight (RFC 9110, section 12.4.2); without one it is 1. */
export const accepted = (header: string | string[] | undefined): readonly (readonly [name: string, weight: number])[] =>
  [header ?? []]
    .flat()
    .join()
    .split(',')
    .map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((part) => part.startsWith('q='))?.slice('q='.length);
      return [name, weight === undefined ? 1 : Number(weight)];
    });
