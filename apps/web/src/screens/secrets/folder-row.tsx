import { Folder } from 'lucide-react';
import styles from './grid.module.css';
import cell from './cell.module.css';
import type { Overview } from './pages.ts';
import { childPath, useGo, type Place } from './place.ts';

interface FolderRowProps {
  readonly place: Place;
  readonly folder: Overview['folders'][number];
  readonly environments: Overview['environments'];
}

/** A folder, and in which environments it exists. */
export function FolderRow({ place, folder: { name, environments: slugs }, environments }: FolderRowProps) {
  const go = useGo();
  return (
    <>
      <span role="rowheader" className={styles['key']}>
        <Folder size={15} aria-hidden />
        <button
          type="button"
          className={styles['folder']}
          onClick={() => go({ path: childPath(place.path, name), q: '', key: '', env: '' })}
        >
          {name}
        </button>
      </span>
      {environments.map(({ slug }) => (
        <span key={slug} role="gridcell" className={cell['cell']}>
          {slugs.includes(slug) ? '' : <span className={cell['gap']}>no folder</span>}
        </span>
      ))}
    </>
  );
}
