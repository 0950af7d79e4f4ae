/** An element of a document: its children, or its text. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const MAX_DEPTH = 20;
/** Tags and texts: some hundred thousand take a tenth of a second. */
const MAX_PARTS = 100_000;
const TOKEN = /<(\/?)([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }),
);

/**
 * Parses the XML of AWS's query services: elements and text. All other XML features (document types with entities,
 * comments, sections) are rejected. If a namespace is given, elements must be in it, and have no further attributes.
 *
 * @throws Error for anything else; its message contains none of the input.
 */
export function readXml(text: string, namespace?: string): XmlElement {
  const source = text.replace(/^\s*<\?xml[^<>]*\?>/, '').trim();
  const open: { name: string; children: XmlElement[]; text: string }[] = [{ name: '', children: [], text: '' }];
  TOKEN.lastIndex = 0;
  for (let parts = 1; TOKEN.lastIndex < source.length; parts++) {
    const at = TOKEN.exec(source);
    if (!at || parts > MAX_PARTS) throw malformed();
    const [, isEnd, name = '', attributes = '', isEmpty, characters] = at;
    if (namespace !== undefined && !['', `xmlns="${namespace}"`].includes(attributes.trim())) throw malformed();
    const last = open.at(-1)!;
    if (characters !== undefined) last.text += unescape(characters);
    else if (isEnd) {
      const parent = open.at(-2);
      if (last.name !== name || !parent) throw malformed();
      open.pop();
      parent.children.push(closed(last));
    } else if (isEmpty) last.children.push({ name, children: [], text: '' });
    else if (open.push({ name, children: [], text: '' }) > MAX_DEPTH) throw malformed();
  }
  const [root] = open[0]!.children;
  if (open.length !== 1 || open[0]!.children.length !== 1 || open[0]!.text.trim() !== '') throw malformed();
  return root!;
}

/** Text between elements is none. */
const closed = ({ name, children, text }: { name: string; children: XmlElement[]; text: string }): XmlElement => {
  if (children.length > 0 && text.trim() !== '') throw malformed();
  return { name, children, text: children.length > 0 ? '' : text };
};

const unescape = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(\w+));?/g,
    (entity, decimal?: string, hex?: string, name = '') => {
      const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : undefined;
      const character =
        code === undefined ? ENTITIES.get(String(name)) : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
      if (character === undefined || !entity.endsWith(';')) throw malformed();
      return character;
    },
  );

const malformed = () => new Error('The response is not valid XML');

/** The first element that a path of names leads to. */
export const at = (element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((found, name) => found?.children.find((one) => one.name === name), element);
