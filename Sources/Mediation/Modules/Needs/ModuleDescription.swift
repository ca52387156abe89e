/// A module as plain data, for drawings, documents and tests.
public struct ModuleDescription: Sendable, Hashable, Codable {
  /// A need of the module.
  public struct Need: Sendable, Hashable, Codable {
    /// The need as a phrase, such as `service Weather`.
    public let name: String
    /// The module that provides it; nil if the environment does.
    public let module: String?
  }

  /// The module's name.
  public let name: String
  /// What it needs, in declaration order.
  public let needs: [Need]
  /// The names of the services it provides.
  public let services: [String]
  /// The names of its targets.
  public let targets: [String]
  /// The life-cycle events it listens for, sorted.
  public let events: [String]
}

extension Mediator {
  /// A description of every module, in launch order.
  public var modules: [ModuleDescription] {
    registry.modules.modules.map { module in
      ModuleDescription(
        name: module.name, needs: module.needs, services: module.services.map(\.name),
        targets: module.targets.map(\.name),
        events: Set(module.listeners.map(\.kind.rawValue)).sorted())
    }
  }

  /// How long each module's `declare(into:)` took, in launch order.
  public var declaringTimes: [(module: String, time: Duration)] {
    registry.modules.modules.map { ($0.name, $0.declaringTime) }
  }
}
