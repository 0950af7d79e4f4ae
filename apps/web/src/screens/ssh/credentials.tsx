import type { Outputs } from '@coffer/client';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { download } from '../../ui/download.ts';
import { Row } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { OnceDialog } from '../../ui/once.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export type Credentials = Pick<Outputs['sshCertificates']['issue'], 'signedKey'> & { readonly privateKey?: string };

interface CredentialsDialogProps {
  readonly of: Credentials;
  /** How they are used: `ssh -i …` */
  readonly use?: string | undefined;
  readonly onClose: () => void;
}

/** A certificate and its private key, as long as the dialog is open: Coffer does not keep the key. */
export const CredentialsDialog = ({ of: { signedKey, privateKey }, use, onClose }: CredentialsDialogProps) => (
  <OnceDialog
    look="wide"
    title={texts.sshCertificateIsIssued}
    of={privateKey ? [[texts.privateKey, privateKey]] : []}
    onClose={onClose}
  >
    {privateKey && <Note kind="warn">{texts.privateKeyIsShown}</Note>}
    <Row>
      {privateKey && (
        <Button onClick={() => download('id_coffer', `${privateKey.trim()}\n`)}>{texts.privateKey}</Button>
      )}
      <Button onClick={() => download('id_coffer-cert.pub', `${signedKey.trim()}\n`)}>{words.certificate}</Button>
    </Row>
    {privateKey && (
      <>
        <h3>{texts.privateKey}</h3>
        <Code label={texts.privateKey}>{privateKey}</Code>
      </>
    )}
    <h3>{words.certificate}</h3>
    <Code label={words.certificate}>{signedKey}</Code>
    {use && (
      <>
        <h3>{texts.logIn}</h3>
        <Code label={texts.logIn}>{`chmod 600 id_coffer\n${use}`}</Code>
      </>
    )}
  </OnceDialog>
);
