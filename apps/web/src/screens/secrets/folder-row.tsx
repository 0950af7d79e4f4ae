import { Folder } from 'lucide-react';
import styles from './grid.module.css';
import cell from './cell.module.css';
import type { Overview } from './pages.ts';
import { FolderMenu } from './folder-menu.tsx';
import { childPath, useGo, type Place } from './place.ts';
import { Selection, type Selected } from './selection.tsx';
import { texts } from './texts.ts';

interface FolderRowProps {
  readonly place: Place;
  readonly folder: Overview['folders'][number];
  readonly environments: Overview['environments'];
  readonly selected: Selected;
  readonly onSelect: (next: Selected) => void;
}

/** A folder, and in which environments it exists. */
export function FolderRow({ place, folder, environments, selected, onSelect }: FolderRowProps) {
  const { name, environments: slugs } = folder;
  const go = useGo();
  return (
    <>
      <span role="rowheader" className={styles['key']}>
        <Selection what={{ folder }} selected={selected} onSelect={onSelect} />
        <Folder size={15} aria-hidden />
        <button
          type="button"
          className={styles['folder']}
          onClick={() => go({ path: childPath(place.path, name), q: '', key: '', env: '' })}
        >
          {name}
        </button>
        <FolderMenu place={place} folder={folder} environments={environments} />
      </span>
      {environments.map(({ slug }) => (
        <span key={slug} role="gridcell" className={cell['cell']}>
          {slugs.includes(slug) ? '' : <span className={cell['gap']}>{texts.noFolder}</span>}
        </span>
      ))}
    </>
  );
}
