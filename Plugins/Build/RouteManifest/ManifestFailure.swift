/// Why the command ends with an error.
struct ManifestFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
