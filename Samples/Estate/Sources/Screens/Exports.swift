// Modules, hosts and tests reach the vocabulary together with what Estate adds to it.

@_exported public import ScreenContents
