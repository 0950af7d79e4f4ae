import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useSettled } from '../../app/settled.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Badge, Note } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';
import { toastError } from '../../ui/toast.tsx';
import { stage, type Draft } from './drafts.ts';
import type { Overview } from './pages.ts';
import { parseFile, type Parsed } from './parse-file.ts';
import type { Place } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface ImportProps {
  readonly place: Place;
  readonly overview: Overview;
  readonly onClose: () => void;
}

type Pairs = Extract<Parsed, { pairs: unknown }>;

interface Line {
  readonly name: string;
  readonly value: string;
  readonly state: 'new' | 'exists' | 'invalid';
  /** Whether its name stands in the file more than once. */
  readonly isRepeated: boolean;
}

/** Lines of the preview: a file may have thousands. */
const SHOWN = 50;
/** Lines and names that are named. */
const LINES = 10;

const STATES = {
  new: { kind: 'good', label: texts.new },
  exists: { kind: 'warn', label: texts.replacesPresentValue },
  invalid: { kind: 'bad', label: texts.notValidName },
} as const;

/** Pasted or dropped secrets. What exists already is listed before anything is taken over, as drafts. */
export function ImportDialog({ place, overview, onClose }: ImportProps) {
  const environments = overview.environments.filter(({ may }) => may.createSecrets);
  const [text, setText] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  const { parsed, isBehind } = useParsed(text);
  const [environment, setEnvironment] = useState(environments[0]?.slug ?? '');
  const { projectId, path: secretPath } = place;
  const there = useQuery(ask('secrets', 'list', { projectId, environment, secretPath, viewSecretValue: false }));
  const versions = useMemo(
    () => new Map(there.data?.secrets.map(({ secretKey, version }) => [secretKey, version])),
    [there.data],
  );
  const lines = useMemo(() => (parsed && 'pairs' in parsed ? linesOf(parsed, versions) : []), [parsed, versions]);
  const valid = lines.filter(({ state }) => state !== 'invalid');
  const take = () => {
    stage(
      projectId,
      valid.map(({ name, value, state }): Draft => ({
        ...{ environment, secretPath, secretKey: name, value },
        ...(state === 'new' ? { kind: 'create' } : { kind: 'update', expectedVersion: versions.get(name) }),
      })),
    );
    onClose();
  };
  return (
    <Dialog title={words.import} look="wide" onClose={onClose}>
      <EnvironmentField environments={environments} value={environment} onChange={setEnvironment} />
      <TextArea
        label={texts.pasteEnvJsonOrYaml}
        rows={8}
        autoFocus
        ref={box}
        onChange={(event) => setText(event.target.value)}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files;
          if (!file) return;
          event.preventDefault();
          file.text().then((given) => {
            if (box.current) box.current.value = given;
            setText(given);
          }, toastError);
        }}
      />
      {parsed && 'error' in parsed && <Note kind="bad">{parsed.error}</Note>}
      {parsed && 'pairs' in parsed && parsed.leftOut && parsed.leftOut.length > 0 && (
        <Note kind="warn">{texts.linesAreLeftOut(parsed.leftOut.length, parsed.leftOut.slice(0, LINES))}</Note>
      )}
      {parsed && 'pairs' in parsed && parsed.repeated && parsed.repeated.length > 0 && (
        <Note kind="warn">{texts.namesAreRepeated(parsed.repeated.length, parsed.repeated.slice(0, LINES))}</Note>
      )}
      {lines.length > 0 && (
        <Table
          label={texts.whatWillChange}
          rows={lines.slice(0, SHOWN)}
          keyOf={({ name }) => name}
          empty=""
          columns={[
            { title: words.key, cell: ({ name }) => <code>{name}</code> },
            {
              title: texts.whatHappens,
              cell: ({ state, isRepeated }) => (
                <>
                  <Badge kind={STATES[state].kind}>{STATES[state].label}</Badge>{' '}
                  {isRepeated && <Badge kind="warn">{texts.lastOfItsValuesCounts}</Badge>}
                </>
              ),
            },
          ]}
        />
      )}
      {lines.length > SHOWN && <p>{texts.andLines(lines.length - SHOWN)}</p>}
      <Actions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button kind="primary" disabled={valid.length === 0 || !there.isSuccess || isBehind} onClick={take}>
          {texts.takeOverSecrets(valid.length)}
        </Button>
      </Actions>
    </Dialog>
  );
}

/** What is in the text, once nobody types any more: a file may be large. */
function useParsed(text: string): { readonly parsed: Parsed | undefined; readonly isBehind: boolean } {
  const settled = useSettled(text);
  const [{ of, parsed }, setParsed] = useState<{ of: string; parsed?: Parsed }>({ of: '' });
  useEffect(() => {
    let isNewest = true;
    const show = (next?: Parsed) => {
      if (isNewest) setParsed({ of: settled, ...(next && { parsed: next }) });
    };
    if (settled === '') show();
    else parseFile(settled).then(show, () => show({ error: texts.itCannotBeRead }));
    return () => void (isNewest = false);
  }, [settled]);
  return { parsed, isBehind: of !== text };
}

const isName = (name: string): boolean =>
  name.trim() !== '' && name.length <= 255 && !/[:/\0]/.test(name) && name.isWellFormed();

/** What is to be looked at first: names that stand there twice, and those that are taken. */
const linesOf = ({ pairs, repeated = [] }: Pairs, there: ReadonlyMap<string, number>): Line[] => {
  const names = new Set(repeated);
  const lines = [...pairs].map(([name, value]): Line => ({
    name,
    value,
    state: !isName(name) ? 'invalid' : there.has(name) ? 'exists' : 'new',
    isRepeated: names.has(name),
  }));
  const isPlain = ({ state, isRepeated }: Line) => state === 'new' && !isRepeated;
  return [...lines.filter((line) => !isPlain(line)), ...lines.filter(isPlain)];
};
