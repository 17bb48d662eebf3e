import { readProfile } from '../profile/file.js'
import type { Profile } from '../profile/profile.js'
import { builtInWording } from './vocabulary.js'

/** Opens the profile of an option; see {@link readProfile}. @throws {ProfileError} listing all errors with remedies */
export const openProfile = (given: string | object): Promise<Profile> => readProfile(given, builtInWording)
