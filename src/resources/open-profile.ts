import { readProfile } from '../profile/file.js'
import type { Profile } from '../profile/profile.js'
import { builtInWording } from './vocabulary.js'

/**
 * Opens the profile that an option names.
 * @param given as for {@link readProfile}
 * @throws {ProfileError} naming all errors, where they are, and what was probably meant
 */
export const openProfile = (given: string | object): Promise<Profile> => readProfile(given, builtInWording)
