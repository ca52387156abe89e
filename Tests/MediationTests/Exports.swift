// Makes the fixtures visible in every file of this target.

@_exported public import MediationFixtures
