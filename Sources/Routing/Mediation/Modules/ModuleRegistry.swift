/// The modules' checked providers, lazy routes, listeners and needs; immutable.
struct ModuleRegistry: Sendable {
  /// One module.
  struct Entry: Sendable {
    let name: String
    let objects: [LazyObjectEntry]
    let listeners: [LifecycleListener]
    let contributions: [ModuleContribution]
    let declaringTime: Duration
    let needs: [ModuleDescription.Need]

    init(name: String, table: RouteTable, declaringTime: Duration, needs: [ModuleDescription.Need]) {
      self.name = name
      objects = table.objects
      listeners = table.listeners
      contributions = table.contributions
      self.declaringTime = declaringTime
      self.needs = needs
    }

    /// The types of the module's providers.
    var providers: [String] { objects.filter { $0.provided != nil }.map(\.typeName) }
  }

  /// The modules in launch order.
  let modules: [Entry]
  let providers: [ObjectIdentifier: LazyObjectEntry]
  let objects: [LazyObjectEntry]
  /// What modules declare for other parts of the app, by the module's name.
  let contributions: [String: [ModuleContribution]]

  init(modules: [Entry], providers: [ObjectIdentifier: LazyObjectEntry]) {
    self.modules = modules
    self.providers = providers
    objects = modules.flatMap(\.objects)
    contributions = Dictionary(grouping: modules.flatMap(\.contributions)) { $0.place.module }
  }
}

/// A module as plain data, for drawings, documents and tests.
package struct ModuleDescription: Sendable, Hashable, Codable {
  /// A need of the module.
  package struct Need: Sendable, Hashable, Codable {
    /// The need as a phrase, such as `provider Weather`.
    package let name: String
    /// The module that declares it; nil if the environment has it.
    package let module: String?
  }

  /// The module's name.
  package let name: String
  /// What it needs, in declaration order.
  package let needs: [Need]
  /// The types of its providers.
  package let providers: [String]
  /// The life-cycle events it listens for, sorted.
  package let events: [String]
}

extension Mediator {
  /// A description of every module, in launch order.
  package var modules: [ModuleDescription] {
    registry.modules.modules.map { module in
      ModuleDescription(
        name: module.name, needs: module.needs, providers: module.providers,
        events: Set(module.listeners.map { "\($0.kind)" }).sorted())
    }
  }

  /// How long each module's `declare(into:)` took, in launch order.
  package var declaringTimes: [(module: String, time: Duration)] {
    registry.modules.modules.map { ($0.name, $0.declaringTime) }
  }
}
