/// The reason that the command failed.
struct ManifestFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
