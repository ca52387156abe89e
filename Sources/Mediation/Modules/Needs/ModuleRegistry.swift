/// The modules' checked providers, lazy routes, listeners and needs; immutable.
struct ModuleRegistry: Sendable {
  /// One module.
  struct Entry: Sendable {
    let name: String
    let objects: [LazyObjectEntry]
    let listeners: [LifecycleListener]
    let declaringTime: Duration
    let needs: [ModuleDescription.Need]

    init(name: String, table: RouteTable, declaringTime: Duration, needs: [ModuleDescription.Need]) {
      self.name = name
      objects = table.objects
      listeners = table.listeners
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

  init(modules: [Entry], providers: [ObjectIdentifier: LazyObjectEntry]) {
    self.modules = modules
    self.providers = providers
    objects = modules.flatMap(\.objects)
  }
}
