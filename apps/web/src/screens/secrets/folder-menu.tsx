import { useState } from 'react';
import { useProjectRights } from '../../app/rights.ts';
import { Menu } from '../../ui/menu.tsx';
import { DeleteFoldersDialog } from './delete-folders.tsx';
import type { Overview } from './pages.ts';
import type { Place } from './place.ts';
import { RenameFolder } from './rename-folder.tsx';
import { TransferFolders } from './transfer-folders.tsx';
import { texts } from './texts.ts';

interface FolderMenuProps {
  readonly place: Place;
  readonly folder: Overview['folders'][number];
  readonly environments: Overview['environments'];
}

const nothing = () => {};

/** What can be done with one folder, as far as the user may in one of its environments. */
export function FolderMenu({ place, folder, environments }: FolderMenuProps) {
  const [doing, setDoing] = useState<'rename' | 'copy' | 'move' | 'delete'>();
  const may = useProjectRights(place.projectId);
  const here = environments.filter(({ slug }) => folder.environments.includes(slug));
  const [editable, deletable] = [
    here.filter((one) => one.may.editFolders),
    here.filter((one) => one.may.deleteFolders),
  ];
  const mayPlace = may('secret-folders', 'create');
  const close = () => setDoing(undefined);
  const items = [
    editable.length > 0 && { label: texts.openRename, run: () => setDoing('rename') },
    mayPlace && { label: texts.copyTo, run: () => setDoing('copy') },
    mayPlace && deletable.length > 0 && { label: texts.moveTo, run: () => setDoing('move') },
    deletable.length > 0 && { label: texts.openDelete, run: () => setDoing('delete') },
  ].filter((item) => item !== false);
  const shared = { place, environments, onClose: close };
  return (
    <>
      <Menu label={texts.actionsOfFolder(folder.name)} items={items} />
      {doing === 'rename' && <RenameFolder {...shared} folder={folder} environments={editable} />}
      {(doing === 'copy' || doing === 'move') && (
        <TransferFolders {...shared} kind={doing} folders={[folder]} onDone={nothing} />
      )}
      {doing === 'delete' && (
        <DeleteFoldersDialog
          place={place}
          folders={[{ ...folder, environments: deletable.map(({ slug }) => slug) }]}
          onClose={close}
          onDone={nothing}
        />
      )}
    </>
  );
}
