/// A target that a package has already.
public struct KnownTarget: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// Its folder, relative to the package's.
  public var path: String
  /// Whether it holds tests.
  public var isTest: Bool
  /// The names of the targets that it depends on, directly or through others.
  public var dependencies: Set<String>

  /// Describes a target.
  public init(name: String, path: String, isTest: Bool = false, dependencies: Set<String> = []) {
    self.name = name
    self.path = path
    self.isTest = isTest
    self.dependencies = dependencies
  }

  /// The folder in which the target's folder lies, relative to the package's.
  var neighbourhood: String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
