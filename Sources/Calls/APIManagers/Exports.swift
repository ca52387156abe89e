// JSON's format and its errors stand in the declarations of APIs and reformers, so that a
// module that imports APIManagers needs no further import for them.

@_exported public import BodyFormats
