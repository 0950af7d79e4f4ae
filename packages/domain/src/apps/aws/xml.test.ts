import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, readXml, type XmlElement } from './xml.ts';

const write = ({ name, children, text }: XmlElement): string => {
  const escaped = Array.from(text, (character) =>
    /[<>&"']/.test(character) ? `&#x${character.codePointAt(0)!.toString(16)};` : character,
  ).join('');
  return `<${name} xmlns="https://iam.amazonaws.com/doc/2010-05-08/">${escaped}${children.map(write).join('\n ')}</${name}>`;
};

describe('a document', () => {
  it('is read as AWS writes it', () => {
    // The documentation of CreateAccessKey.
    const root = readXml(`<?xml version="1.0" encoding="UTF-8"?>
<CreateAccessKeyResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/">
  <CreateAccessKeyResult>
    <AccessKey>
      <UserName>Bob &amp; &#66;</UserName>
      <AccessKeyId>AKIAIOSFODNN7EXAMPLE</AccessKeyId>
      <Status/>
      <SecretAccessKey>wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY</SecretAccessKey>
    </AccessKey>
  </CreateAccessKeyResult>
</CreateAccessKeyResponse>`);
    const key = at(root, 'CreateAccessKeyResult', 'AccessKey');
    expect(root.name).toBe('CreateAccessKeyResponse');
    expect(key?.children.map(({ name, text }) => [name, text])).toEqual([
      ['UserName', 'Bob & B'],
      ['AccessKeyId', 'AKIAIOSFODNN7EXAMPLE'],
      ['Status', ''],
      ['SecretAccessKey', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ]);
    expect(at(root, 'AccessKey')).toBeUndefined();
  });

  it.each([
    '',
    'text',
    '{"a":1}',
    '<a>',
    '</a>',
    '<a></b>',
    '<a></a><b></b>',
    '<a></a>x',
    '<a>x<b></b></a>',
    '<a b=c></a>',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    '<a>&b;</a>',
    '<a>&amp</a>',
    '<a>&#99999999;</a>',
    '<a>&#x110000;</a>',
    '<a><!-- x --></a>',
    '<a><![CDATA[x]]></a>',
    '<a>'.repeat(50) + '</a>'.repeat(50),
    '<a',
    '<a ',
    `<a ${'b="c" '.repeat(20_000)}`,
  ])('of another kind is refused: %s', (text) => {
    expect(() => readXml(text)).toThrow('The response is not valid XML');
  });

  it('of more parts than can be read in a moment is refused', () => {
    const long = (elements: number) => `<a>${'<b/>'.repeat(elements)}</a>`;
    expect(readXml(long(99_998)).children).toHaveLength(99_998);
    expect(() => readXml(long(99_999))).toThrow('The response is not valid XML');
  });

  it('has only the expected namespace', () => {
    const document = '<a xmlns="https://sts.amazonaws.com/"><b>x</b></a>';
    expect(readXml(document, 'https://sts.amazonaws.com/').name).toBe('a');
    expect(readXml('<a></a>', 'https://sts.amazonaws.com/').name).toBe('a');
    for (const other of ['<a xmlns="https://evil.test/"></a>', '<a><b x="y">x</b></a>'])
      expect(() => readXml(other, 'https://sts.amazonaws.com/')).toThrow('The response is not valid XML');
  });

  it('is returned as written', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/);
    const { tree } = fc.letrec<{ tree: XmlElement }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.record({
          name,
          text: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
          children: fc.constant([]),
        }),
        fc.record({ name, text: fc.constant(''), children: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }) }),
      ),
    }));
    fc.assert(
      fc.property(tree, (one) => {
        expect(readXml(write(one))).toEqual(one);
      }),
    );
  });
});
