import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileUp, FolderInput, FolderPlus, History, Plus, Terminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { inputClass } from '../../ui/field.tsx';
import { CopyFolder } from './copy-as.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { NewFolder } from './new-folder.tsx';
import { NewSecret } from './new-secret.tsx';
import type { Overview } from './pages.ts';
import { useGo, type Place } from './place.ts';
import styles from './toolbar.module.css';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface PartProps {
  readonly place: Place;
  readonly overview: Overview;
}

export function Toolbar({ place, overview }: PartProps) {
  const may = (what: 'createFolders' | 'createSecrets') => overview.environments.some((one) => one.may[what]);
  return (
    <div className={styles['bar']}>
      <Path place={place} />
      <Tags place={place} />
      <Search place={place} />
      <FolderLinks place={place} overview={overview} />
      {may('createFolders') && <AddFolder place={place} overview={overview} />}
      {may('createSecrets') && <AddSecrets place={place} overview={overview} />}
    </div>
  );
}

/** What else there is of the folder. */
function FolderLinks({ place, overview: { environments } }: PartProps) {
  const [isCopying, setCopying] = useState(false);
  const at = { params: { projectId: place.projectId }, search: { path: place.path } };
  return (
    <>
      <Link {...at} to="/projects/$projectId/imports" className={buttonClass()}>
        <FolderInput size={15} aria-hidden /> {texts.imports}
      </Link>
      <Link {...at} to="/projects/$projectId/history" className={buttonClass()}>
        <History size={15} aria-hidden /> {words.history}
      </Link>
      <Button onClick={() => setCopying(true)}>
        <Terminal size={15} aria-hidden /> {texts.readThemByMachine}
      </Button>
      {isCopying && <CopyFolder place={place} environments={environments} onClose={() => setCopying(false)} />}
    </>
  );
}

function AddFolder({ place, overview }: PartProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FolderPlus size={15} aria-hidden /> {words.folder}
      </Button>
      {isOpen && <NewFolder place={place} overview={overview} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddSecrets({ place, overview }: PartProps) {
  const [open, setOpen] = useState<'secret' | 'import'>();
  const close = () => setOpen(undefined);
  useShortcut({ keys: 'N', label: texts.newSecret, run: () => setOpen('secret') });
  useShortcut({ keys: 'I', label: texts.importSecrets, run: () => setOpen('import') });
  return (
    <>
      <Button onClick={() => setOpen('import')}>
        <FileUp size={15} aria-hidden /> {words.import}
      </Button>
      <Button kind="primary" onClick={() => setOpen('secret')}>
        <Plus size={15} aria-hidden /> {words.secret}
      </Button>
      {open === 'secret' && <NewSecret place={place} overview={overview} onClose={close} />}
      {open === 'import' && <ImportDialog place={place} overview={overview} onClose={close} />}
    </>
  );
}

/** The folders above, each a way back. */
function Path({ place: { path } }: { readonly place: Place }) {
  const go = useGo();
  const names = path.split('/').filter(Boolean);
  return (
    <nav className={styles['path']} aria-label={words.folder}>
      <button type="button" onClick={() => go({ path: '', q: '' })}>
        {texts.root}
      </button>
      {names.map((name, index) => (
        <span key={names.slice(0, index + 1).join('/')}>
          /
          <button type="button" onClick={() => go({ path: `/${names.slice(0, index + 1).join('/')}`, q: '' })}>
            {name}
          </button>
        </span>
      ))}
    </nav>
  );
}

const SETTLE_MS = 200;

function Search({ place }: { readonly place: Place }) {
  const go = useGo();
  const [text, setText] = useState(place.search);
  useEffect(() => setText(place.search), [place.search]);
  useEffect(() => {
    if (text === place.search) return undefined;
    const timer = setTimeout(() => go({ q: text }, { replace: true }), SETTLE_MS);
    return () => clearTimeout(timer);
  });
  useShortcut({
    keys: '/',
    label: texts.searchInThisFolder,
    run: () => document.getElementById('secret-search')?.focus(),
  });
  return (
    <input
      id="secret-search"
      type="search"
      className={`${inputClass()} ${styles['search']}`}
      aria-label={texts.searchInThisFolder}
      placeholder={texts.searchInThisFolder}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

function Tags({ place }: { readonly place: Place }) {
  const go = useGo();
  const { data } = useQuery(ask('tags', 'list', { projectId: place.projectId }));
  const tags = data?.workspaceTags;
  if (!tags?.length) return null;
  return (
    <select
      aria-label={texts.tag}
      className={`${inputClass()} ${styles['search']}`}
      value={place.tag}
      onChange={(event) => go({ tag: event.target.value })}
    >
      <option value="">{texts.allTags}</option>
      {tags.map(({ slug }) => (
        <option key={slug} value={slug}>
          {slug}
        </option>
      ))}
    </select>
  );
}
