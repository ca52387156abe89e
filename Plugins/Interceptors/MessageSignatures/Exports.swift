// Nonces and their stores are part of this module's interface, and shared with RequestSigning.

@_exported public import NonceStores
