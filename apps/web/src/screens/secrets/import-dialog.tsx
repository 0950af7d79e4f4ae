import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/field.tsx';
import { Badge, Note } from '../../ui/note.tsx';
import { Table } from '../../ui/table.tsx';
import { stage, type Draft } from './drafts.ts';
import type { Overview } from './pages.ts';
import { parseFile, type Parsed } from './parse-file.ts';
import type { Place } from './place.ts';

interface ImportProps {
  readonly place: Place;
  readonly overview: Overview;
  readonly onClose: () => void;
}

interface Line {
  readonly name: string;
  readonly value: string;
  readonly state: 'new' | 'exists' | 'invalid';
}

/** Lines of the preview: a file may have thousands. */
const SHOWN = 50;

const STATES = {
  new: { kind: 'good', label: 'new' },
  exists: { kind: 'warn', label: 'replaces the present value' },
  invalid: { kind: 'bad', label: 'not a valid name: left out' },
} as const;

/** Pasted or dropped secrets. What exists already is listed before anything is taken over, as drafts. */
export function ImportDialog({ place, overview: { environments }, onClose }: ImportProps) {
  const [text, setText] = useState('');
  const [parsed, setParsed] = useState<Parsed>();
  const [environment, setEnvironment] = useState(environments[0]?.slug ?? '');
  const { projectId, path: secretPath } = place;
  const there = useQuery(ask('secrets', 'list', { projectId, environment, secretPath, viewSecretValue: false }));
  const versions = new Map(there.data?.secrets.map(({ secretKey, version }) => [secretKey, version]));
  const read = (given: string) => {
    setText(given);
    parseFile(given)
      .then(setParsed)
      .catch(() => setParsed({ error: 'It cannot be read.' }));
  };
  const lines = parsed && 'pairs' in parsed ? linesOf(parsed.pairs, versions) : [];
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
    <Dialog title="Import" look="wide" onClose={onClose}>
      <SelectField label="Environment" value={environment} onChange={(event) => setEnvironment(event.target.value)}>
        {environments.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextArea
        label="Paste .env, JSON or YAML, or drop a file here"
        rows={8}
        autoFocus
        value={text}
        onChange={(event) => read(event.target.value)}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files;
          if (!file) return;
          event.preventDefault();
          file.text().then(read, () => setParsed({ error: 'The file cannot be read.' }));
        }}
      />
      {parsed && 'error' in parsed && <Note kind="bad">{parsed.error}</Note>}
      {lines.length > 0 && (
        <Table
          label="What will change"
          rows={lines.slice(0, SHOWN)}
          keyOf={({ name }) => name}
          empty=""
          columns={[
            { title: 'Key', cell: ({ name }) => <code>{name}</code> },
            {
              title: 'What happens',
              cell: ({ state }) => <Badge kind={STATES[state].kind}>{STATES[state].label}</Badge>,
            },
          ]}
        />
      )}
      {lines.length > SHOWN && <p>… and {count(lines.length - SHOWN, 'more line')}.</p>}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={valid.length === 0 || !there.isSuccess} onClick={take}>
          Take over {count(valid.length, 'secret')}
        </Button>
      </Actions>
    </Dialog>
  );
}

const isName = (name: string): boolean =>
  name.trim() !== '' && name.length <= 255 && !/[:/\0]/.test(name) && name.isWellFormed();

const linesOf = (pairs: ReadonlyMap<string, string>, there: ReadonlyMap<string, number>): Line[] =>
  [...pairs].map(([name, value]) => ({
    name,
    value,
    state: !isName(name) ? 'invalid' : there.has(name) ? 'exists' : 'new',
  }));
