import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { inputClass } from '../ui/field.tsx';
import { distinctNames } from '../ui/short-id.ts';
import { ask } from './ask.ts';
import { useSettled } from './settled.ts';
import styles from './palette.module.css';
import { useOfferedScreens } from './offered.ts';
import type { Group } from './screen.ts';
import { shortcuts } from './shortcuts.ts';
import { texts } from './palette.texts.ts';
import { words } from '../ui/words.texts.ts';

interface Entry {
  readonly label: string;
  readonly what: string;
  readonly run: () => void;
}

const MOST = 30;

/** A project and the organization have screens of the same name. */
const GROUPS: Readonly<Record<Group, string>> = {
  project: words.project,
  organization: words.organization,
  account: words.account,
  instance: words.instance,
};

/** Screens, projects, commands, and the secrets and folders of all projects, by a part of their names. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const listId = useId();
  const wanted = text.trim();
  // At once: Enter takes what is selected, however fast it follows.
  const known = useEntries(wanted.toLowerCase());
  const contents = useContents(useSettled(wanted));
  const found = [...known, ...contents.entries];
  const at = Math.min(selected, found.length - 1);
  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setSelected((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setSelected((at - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={words.search} onClose={onClose}>
      <input
        className={inputClass()}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[at] && `${listId}-${at}`}
        aria-label={texts.searchScreensProjectsCommands}
        placeholder={texts.whereTo}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul className={styles['list']} id={listId} role="listbox" aria-label={texts.found}>
        {found.map((entry, index) => (
          <li
            key={`${entry.what} ${entry.label} ${index}`}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles['item']}
            onClick={() => run(entry)}
          >
            {entry.label} <span>{entry.what}</span>
          </li>
        ))}
      </ul>
      {contents.note && <p role="status">{contents.note}</p>}
    </Dialog>
  );
}

/** From so many letters on the server is asked. */
const LETTERS = 2;

/** The secrets and folders that the user may see, in all of their projects: found by the server. */
function useContents(search: string): { readonly entries: readonly Entry[]; readonly note: string } {
  const { projectId } = useParams({ strict: false });
  const navigate = useNavigate();
  const isAsked = search.length >= LETTERS;
  const { data, isError, isFetching } = useQuery({
    ...ask('secrets', 'searchEverywhere', { search, ...(projectId && { firstProjectId: projectId }) }),
    enabled: isAsked,
  });
  if (!isAsked) return { entries: [], note: '' };
  const open = (project: string, place: Record<string, string>) =>
    void navigate({ to: '/projects/$projectId/secrets', params: { projectId: project }, search: place });
  const entries = (data?.projects ?? []).flatMap(({ projectId: project, projectName, secrets, folders }) => [
    ...folders.map(({ path }) => ({
      label: path,
      what: texts.folderOf(projectName),
      run: () => open(project, { path }),
    })),
    ...secrets.map(({ secretKey, environment, secretPath }) => ({
      label: secretKey,
      what: `${environment} ${secretPath} · ${projectName}`,
      run: () =>
        open(project, {
          ...(secretPath !== '/' && { path: secretPath }),
          ...{ q: secretKey, env: environment, key: secretKey },
        }),
    })),
  ]);
  const note = isError ? texts.secretsCannotBeSearched : isFetching ? texts.searchingSecrets : '';
  return { entries, note };
}

function useEntries(wanted: string): Entry[] {
  const { projectId } = useParams({ strict: false });
  const navigate = useNavigate();
  const { data } = useQuery(ask('projects', 'list', {}));
  const toScreens = useOfferedScreens().map(({ path, label, group }) => ({
    label,
    what: texts.screenOf(GROUPS[group]),
    run: () => void navigate({ to: path, params: { projectId } }),
  }));
  const toProjects = [...distinctNames(data?.projects ?? [], ({ slug }) => slug)].map(([{ id }, label]) => ({
    label,
    what: words.project,
    run: () => void navigate({ to: '/projects/$projectId/secrets', params: { projectId: id } }),
  }));
  const commands = shortcuts.get().map(({ label, keys, run }) => ({ label, what: keys, run }));
  return [...toScreens, ...toProjects, ...commands]
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .slice(0, MOST);
}
