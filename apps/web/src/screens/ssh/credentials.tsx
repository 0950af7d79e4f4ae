import type { Outputs } from '@coffer/client';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { download } from '../../ui/download.ts';
import { Row } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';

export type Credentials = Pick<Outputs['sshCertificates']['issue'], 'signedKey'> & { readonly privateKey?: string };

interface CredentialsDialogProps {
  readonly of: Credentials;
  /** How they are used: `ssh -i …` */
  readonly use?: string | undefined;
  readonly onClose: () => void;
}

/** A certificate and its private key, as long as the dialog is open: Coffer does not keep the key. */
export const CredentialsDialog = ({ of: { signedKey, privateKey }, use, onClose }: CredentialsDialogProps) => (
  <Dialog look="wide" title="The SSH certificate is issued" onClose={onClose}>
    {privateKey && <Note kind="warn">The private key is shown once: Coffer does not keep it.</Note>}
    <Row>
      {privateKey && <Button onClick={() => download('id_coffer', `${privateKey.trim()}\n`)}>Private key</Button>}
      <Button onClick={() => download('id_coffer-cert.pub', `${signedKey.trim()}\n`)}>Certificate</Button>
    </Row>
    {privateKey && (
      <>
        <h3>Private key</h3>
        <Code label="Private key">{privateKey}</Code>
      </>
    )}
    <h3>Certificate</h3>
    <Code label="Certificate">{signedKey}</Code>
    {use && (
      <>
        <h3>Log in</h3>
        <Code label="Log in">{`chmod 600 id_coffer\n${use}`}</Code>
      </>
    )}
    <Actions>
      <Button kind="primary" onClick={onClose}>
        Done
      </Button>
    </Actions>
  </Dialog>
);
