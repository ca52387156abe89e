/// An existing target of a package.
public struct KnownTarget: Sendable, Hashable {
  /// The name of the target.
  public var name: String
  /// The target's folder, relative to the package's folder.
  public var path: String
  /// Whether the target is a test target.
  public var isTest: Bool
  /// The names of the target's direct and transitive dependencies.
  public var dependencies: Set<String>

  /// Creates a target.
  public init(name: String, path: String, isTest: Bool = false, dependencies: Set<String> = []) {
    self.name = name
    self.path = path
    self.isTest = isTest
    self.dependencies = dependencies
  }

  /// The parent of the target's folder, relative to the package's folder.
  var neighbourhood: String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
