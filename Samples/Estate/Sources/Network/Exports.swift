// The app reaches what its modules know of the network by importing the network.

@_exported public import EstateContract
