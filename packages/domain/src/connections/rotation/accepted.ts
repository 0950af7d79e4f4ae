import { isRemote } from '../../family/index.ts';

/** Whether the other system accepts a credential. @throws where it answers something else, or nothing */
export async function isAccepted(logIn: () => Promise<unknown>): Promise<boolean> {
  try {
    await logIn();
    return true;
  } catch (error) {
    if (isRemote(error, 'rejected')) return false;
    throw error;
  }
}
