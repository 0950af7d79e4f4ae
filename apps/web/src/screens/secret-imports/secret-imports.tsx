import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useFolderAddress, type FolderAddress } from '../../app/folder-address.ts';
import { useProjectRights } from '../../app/rights.ts';
import { NewButton } from '../../ui/creation.tsx';
import { FolderChoice } from '../../ui/folder-choice.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { ImportTable } from './import-table.tsx';
import { Imported } from './imported.tsx';
import { NewImport } from './new-import.tsx';
import { texts } from './texts.ts';

/** Which folders a folder imports, in what order, and which secrets come from them. */
export function Screen() {
  const { projectId, project, folder } = useFolderAddress();
  const may = useProjectRights(projectId);
  return (
    <Page
      title={texts.secretImports}
      lead={texts.secretsOfOtherFolders}
      actions={may('secret-imports', 'create') && <NewButton>{texts.newImport}</NewButton>}
    >
      <Queried query={project}>
        {({ environments }) =>
          folder && (
            <>
              <FolderChoice environments={environments} {...folder} />
              <Imports key={`${folder.environment} ${folder.path}`} projectId={projectId} folder={folder} />
            </>
          )
        }
      </Queried>
    </Page>
  );
}

function Imports({ projectId, folder }: { readonly projectId: string; readonly folder: FolderAddress }) {
  const place = { projectId, ...folder };
  const found = useQuery(ask('secretImports', 'list', place));
  return (
    <Queried query={found}>
      {({ secretImports }) => (
        <>
          <ImportTable place={place} imports={secretImports.filter(({ isReserved }) => !isReserved)} />
          <Imported place={place} />
          <NewImport place={place} />
        </>
      )}
    </Queried>
  );
}
