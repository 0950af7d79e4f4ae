import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TemplateError } from './error.ts';
import { compile } from './evaluate.ts';
import { quote, unquote } from './quote.ts';
import { sprig } from './sprig/sprig.ts';
import { fromJson, Struct, type Value } from './value.ts';

const render = (source: string, data: Value = null): Promise<string> => compile(source, sprig).render(data);
const data = fromJson({
  name: 'Ann',
  empty: '',
  none: null,
  list: [1, 2, 3],
  words: ['b', 'a'],
  map: { b: 2, a: 1, in: { deep: 'x' } },
  yes: true,
});

/** By what pkg.go.dev/text/template says of each. */
const LANGUAGE: readonly (readonly [template: string, text: string])[] = [
  ['plain { text } }}', 'plain { text } }}'],
  ['a {{- /* a comment */ -}} b', 'ab'],
  ['{{/* a\ncomment */}}b', 'b'],
  ['{{23 -}} < {{- 45}}', '23<45'],
  ['a \n {{- "b" -}} \n c', 'abc'],
  ['{{-3}} {{- -3}}', '-3-3'],
  ['{{`raw "}}" \\n`}} {{"\\t\\u00e4\\x41\\""}}', 'raw "}}" \\n \täA"'],
  ["{{'a'}} {{0x1F}} {{0b101}} {{1_000}} {{1e3}} {{017}} {{1.5}}", '97 31 5 1000 1000 15 1.5'],
  ['{{.name}} {{.map.in.deep}} {{$.name}}', 'Ann x Ann'],
  ['{{.list}} {{.map.b}} {{.words}} {{true}}', '[1 2 3] 2 [b a] true'],
  ['{{if .name}}a{{else}}b{{end}}{{if .empty}}a{{else}}b{{end}}', 'ab'],
  ['{{if .empty}}a{{else if .none}}b{{else if .yes}}c{{else}}d{{end}}', 'c'],
  ['{{with .map}}{{.a}}{{end}}{{with .empty}}x{{else}}y{{end}}', '1y'],
  ['{{with .empty}}x{{else with .name}}{{.}}{{end}}', 'Ann'],
  ['{{with $x := .name}}{{$x}}{{.}}{{end}}', 'AnnAnn'],
  ['{{range .list}}{{.}},{{end}}{{range .none}}x{{else}}none{{end}}', '1,2,3,none'],
  ['{{range $i, $e := .words}}{{$i}}{{$e}}{{end}} {{range $e := .words}}{{$e}}{{end}}', '0b1a ba'],
  ['{{range $k, $v := .map}}{{if ne $k "in"}}{{$k}}={{$v}} {{end}}{{end}}', 'a=1 b=2 '],
  ['{{range 3}}{{.}}{{end}}', '012'],
  ['{{range .list}}{{if eq . 2}}{{continue}}{{end}}{{.}}{{end}}', '13'],
  ['{{range .list}}{{if eq . 2}}{{break}}{{end}}{{.}}{{end}}', '1'],
  ['{{$n := 0}}{{range .list}}{{$n = add $n .}}{{end}}{{$n}}', '6'],
  ['{{$n := 1}}{{if true}}{{$n := 2}}{{$n}}{{end}}{{$n}}', '21'],
  ['{{define "t"}}<{{.}}|{{$}}>{{end}}{{template "t" .name}}{{template "t" 1}}', '<Ann|Ann><1|1>'],
  ['{{block "b" .name}}[{{.}}]{{end}}', '[Ann]'],
  ['{{printf "%s-%d" .name 3}} {{"x" | printf "%s%s" "y"}} {{(print .name "!") | printf "%q"}}', 'Ann-3 yx "Ann!"'],
  ['{{and 1 0 (fail "not reached")}} {{or 0 "a" (fail "not reached")}} {{not 0}}', '0 a true'],
  ['{{and .name .yes}} {{or .empty .none 0}}', 'true 0'],
  ['{{len .list}} {{len "häß"}} {{len .map}}', '3 5 3'],
  ['{{index .list 1}} {{index .map "in" "deep"}} {{slice .words 1}} {{slice "abcd" 1 3}}', '2 x [a] bc'],
  [
    '{{eq 1 2 1}} {{eq "a" "b"}} {{ne 1 2}} {{lt 1 2}} {{le 2 2}} {{gt "b" "a"}} {{ge 1 2}}',
    'true false true true true true false',
  ],
  ['{{eq .none nil}} {{eq .missing nil}}', 'true true'],
  ['{{print 1 2 "a" "b" 3}} {{println "a" 1}}', '1 2ab3 a 1\n'],
  [
    '{{html "<a b=\\"c\\">&\'"}} {{js "it\'s <b>"}} {{urlquery "a b&c/d"}}',
    "&lt;a b=&#34;c&#34;&gt;&amp;&#39; it\\'s \\u003Cb\\u003E a+b%26c%2Fd",
  ],
];

/** By what pkg.go.dev/fmt says of verbs and flags. */
const VERBS: readonly (readonly [args: string, text: string])[] = [
  ['"%d|%5d|%-5d|%05d|%+d" 42 42 42 42 42', '42|   42|42   |00042|+42'],
  ['"%x|%X|%#x|%o|%b|%c|%U" 255 255 255 8 5 65 65', 'ff|FF|0xff|10|101|A|U+0041'],
  ['"%s|%8s|%-8s|%.2s|%q|%x" "text" "text" "text" "text" "te\\"xt" "hi"', 'text|    text|text    |te|"te\\"xt"|6869'],
  ['"%f|%.2f|%8.3f|%e|%g" 3.14159 3.14159 3.14159 12345.678 0.5', '3.141590|3.14|   3.142|1.234568e+04|0.5'],
  ['"%v|%v|%v|%v" 1 "a" true 1.5', '1|a|true|1.5'],
  ['"%t %T %T %%" true 1 "a"', 'true int string %'],
  ['"%*d" 5 1', '    1'],
  ['"%d" "a"', '%!d(string=a)'],
  ['"%d %d" 1', '1 %!d(MISSING)'],
  ['"%d" 1 2', '1%!(EXTRA int=2)'],
  ['"%v %v" (list 1 "a") (dict "b" 1 "a" 2)', '[1 a] map[a:2 b:1]'],
];

/** By what masterminds.github.io/sprig says of each. */
const SPRIG: readonly (readonly [template: string, text: string])[] = [
  ['{{trim "  a "}}{{trimAll "$" "$5$"}}{{trimSuffix "-" "a-"}}{{trimPrefix "-" "-a"}}', 'a5aa'],
  ['{{upper "a"}}{{lower "A"}}{{title "hello world"}}{{untitle "Hello World"}}', 'AaHello Worldhello world'],
  [
    '{{repeat 3 "ab"}} {{substr 1 3 "hello"}} {{nospace "a b"}} {{trunc 3 "hello"}} {{trunc -2 "hello"}}',
    'ababab el ab hel lo',
  ],
  [
    '{{abbrev 5 "hello world"}} {{initials "First Try"}} {{contains "b" "abc"}} {{hasPrefix "a" "ab"}}',
    'he... FT true true',
  ],
  ['{{quote "a" 1}} {{squote "a" "b"}} {{cat "a" 1 "b"}}', '"a" "1" \'a\' \'b\' a 1 b'],
  ['{{indent 2 "a\\nb"}}{{nindent 1 "c"}}', '  a\n  b\n c'],
  ['{{"I Am" | replace " " "-"}} {{plural "one" "many" 2}}', 'I-Am many'],
  [
    '{{snakecase "FirstName"}} {{camelcase "http_server"}} {{kebabcase "FirstName"}}',
    'first_name HttpServer first-name',
  ],
  ['{{regexMatch "^[a-z]+$" "abc"}} {{regexFind "[0-9]+" "a12b3"}} {{regexFindAll "[0-9]" "1a2" -1}}', 'true 12 [1 2]'],
  [
    '{{regexReplaceAll "a(x*)b" "-ab-axxb-" "${1}W"}} {{regexReplaceAllLiteral "a(x*)b" "-ab-" "${1}"}}',
    '-W-xxW- -${1}-',
  ],
  ['{{join "_" .words}} {{splitList "$" "a$b"}} {{(split "$" "a$b")._1}} {{sortAlpha .words}}', 'b_a [a b] b [a b]'],
  [
    '{{add 1 2 3}} {{add1 1}} {{sub 3 1}} {{mul 2 3}} {{div 7 2}} {{mod 7 2}} {{max 1 3 2}} {{min 3 1}}',
    '6 2 2 6 3 1 3 1',
  ],
  [
    '{{divf 7 2}} {{floor 1.9}} {{ceil 1.1}} {{round 1.2345 2}} {{int "12"}} {{atoi "5"}} {{until 3}} {{untilStep 1 6 2}}',
    '3.5 1 2 1.23 12 5 [0 1 2] [1 3 5]',
  ],
  [
    '{{default "x" .empty}} {{default "x" "y"}} {{empty .empty}} {{coalesce .empty 0 "z"}} {{ternary "a" "b" .yes}}',
    'x y true z a',
  ],
  ['{{b64enc "hé"}} {{b64dec "aMOp"}} {{b32enc "hi"}} {{b32dec "NBUQ===="}}', 'aMOp hé NBUQ==== hi'],
  [
    '{{first .list}} {{rest .list}} {{last .list}} {{initial .list}} {{append .list 4}} {{prepend .list 0}}',
    '1 [2 3] 3 [1 2] [1 2 3 4] [0 1 2 3]',
  ],
  [
    '{{reverse .list}} {{uniq (list 1 1 2)}} {{without .list 2}} {{has 2 .list}} {{compact (list 1 0 "")}}',
    '[3 2 1] [1 2] [1 3] true [1]',
  ],
  [
    '{{$d := dict "a" 1}}{{$_ := set $d "b" 2}}{{$d}} {{hasKey $d "a"}} {{keys $d}} {{get $d "z"}}|',
    'map[a:1 b:2] true [a b] |',
  ],
  [
    '{{pick .map "a"}} {{omit .map "in"}} {{merge (dict "a" 1) (dict "a" 2 "b" 3)}} {{dig "in" "deep" "-" .map}}',
    'map[a:1] map[a:1 b:2] map[a:1 b:3] x',
  ],
  [
    '{{toJson .map}} {{(fromJson "{\\"a\\":[1]}").a}} {{toJson "<&>"}} {{toRawJson "<&>"}}',
    '{"a":1,"b":2,"in":{"deep":"x"}} [1] "\\u003c\\u0026\\u003e" "<&>"',
  ],
  ['{{sha256sum "a"}}', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
  [
    '{{adler32sum "Wikipedia"}} {{base "/a/b.c"}} {{dir "/a/b"}} {{ext "b.c"}} {{clean "/a/../b"}} {{isAbs "/a"}}',
    '300286872 b.c /a .c /b true',
  ],
  ['{{kindOf .list}} {{kindIs "map" .map}} {{typeOf 1}} {{deepEqual .list (list 1 2 3)}}', 'slice true int true'],
  [
    '{{dateInZone "2006-01-02 15:04:05 -0700" 0 "UTC"}} {{dateInZone "3:04PM Jan _2" 0 "Europe/Berlin"}}',
    '1970-01-01 00:00:00 +0000 1:00AM Jan  1',
  ],
];

const FAULTS: readonly (readonly [template: string, line: number, message: string])[] = [
  ['a\n{{', 2, 'the action has no }}'],
  ['{{/* a', 1, 'the comment has no end'],
  ['{{"a}}', 1, 'unexpected "\\""'],
  ['\n\n{{end}}', 3, 'end without an open action'],
  ['{{if .a}}\n', 1, 'if has no end'],
  ['{{range .}}{{else}}{{else}}{{end}}', 1, 'range has a second else'],
  ['{{nothing}}', 1, 'there is no function nothing'],
  ['{{env "HOME"}}', 1, 'there is no function env'],
  ['{{$x}}', 1, 'the variable $x is not defined'],
  ['{{if true}}{{$x := 1}}{{end}}{{$x}}', 1, 'the variable $x is not defined'],
  ['{{"a" "b"}}', 1, 'what is no function takes no arguments'],
  ['{{1 | 2}}', 1, 'only a function can follow |'],
  ['{{break}}', 1, 'break outside of range'],
  ['{{if true}}{{define "a"}}{{end}}{{end}}', 1, 'define is only at the top of a template'],
  ['{{template "none"}}', 1, 'there is no template none'],
  ['{{define "a"}}{{template "a"}}{{end}}{{template "a"}}', 1, 'the template a calls itself too often'],
  ['\n{{.missing}}', 2, 'there is no value to print'],
  ['{{.missing.deeper}}', 1, '.deeper is asked of nothing'],
  ['{{.name.x}}', 1, 'there is no field x in string'],
  ['{{index .list 3}}', 1, 'index: the index 3 is outside of 3 entries'],
  ['{{eq 1 "1"}}', 1, 'eq: int and string cannot be compared'],
  ['{{upper 1}}', 1, 'upper: expected string, found int'],
  ['{{upper}}', 1, 'upper: takes 1 argument, not 0'],
  ['{{div 1 0}}', 1, 'div: division by zero'],
  ['a\n{{fail "enough"}}', 2, 'fail: enough'],
];

describe('a template', () => {
  it.each(LANGUAGE)('%j is %j', async (template, text) => expect(await render(template, data)).toBe(text));

  it.each(FAULTS)('%j has the fault in line %i: %s', async (template, line, message) => {
    const fault = await Promise.resolve()
      .then(() => render(template, data))
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(TemplateError);
    expect([(fault as TemplateError).line, (fault as TemplateError).message]).toEqual([line, message]);
  });

  it('has the fields of a struct, and no others', async () => {
    const secret = new Struct('secret', { Key: 'A' });
    expect(await render('{{.Key}}{{if .}}!{{end}}', secret)).toBe('A!');
    await expect(render('{{.Nothing}}', secret)).rejects.toThrow('there is no field Nothing in secret');
    await expect(render('{{.constructor}}', secret)).rejects.toThrow('there is no field constructor in secret');
  });

  it('without actions is its text, whatever that is', async () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('{{'));
    await fc.assert(fc.asyncProperty(text, async (one) => (await render(one)) === one));
  });

  it('prints any text as it is, and as a constant', async () => {
    const text = fc.string({ unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(text, async (one) => {
        expect(await render('{{.}}', one)).toBe(one);
        expect(await render(`{{${quote(one)}}}`)).toBe(one);
        expect(unquote(quote(one))).toBe(one);
      }),
    );
  });

  it('of any characters is rendered or has a fault with a line, and nothing else', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        '{{',
        '}}',
        '{{-',
        '-}}',
        'if',
        'end',
        'range',
        ' ',
        '.',
        '$x',
        ':=',
        '|',
        '(',
        ')',
        '"a"',
        '1',
        'list',
        '/*',
        '*/',
        '\n',
      ),
      fc.string({ maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const fault = await Promise.resolve()
          .then(() => render(parts.join(''), data))
          .then(
            () => undefined,
            (error: unknown) => error,
          );
        return fault === undefined || (fault instanceof TemplateError && fault.line! > 0);
      }),
    );
  });
});

describe('printf', () => {
  it.each(VERBS)('%s is %j', async (args, text) => expect(await render(`{{printf ${args}}}`)).toBe(text));
});

describe('the functions of sprig', () => {
  it.each(SPRIG)('%j are %j', async (template, text) => expect(await render(template, data)).toBe(text));
});
