/// Why a command's words can't be read.
public struct NewModuleOptionsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The word at fault, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
