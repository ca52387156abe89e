// Nonces and their stores are part of this module's interface, and shared with MessageSignatures.

@_exported public import NonceStores
