extension Mediator {
  /// Says which route a URL leads to and that it is open to this caller, without asking guards or running anything.
  ///
  /// It tells `forbidden` from `notFound` for every caller; do not pass that difference on to the outside.
  public func resolve(
    _ url: String, origin: Origin = .native(module: nil)
  ) throws(RouteError) -> RouteSummary {
    if case .external(let source) = origin, let head = try? URLHead(url), !source.fits(head) {
      throw .forbidden(url: url, origin: origin)
    }
    return try locate(try redirected(url, for: origin), origin).summary
  }

  /// Whether a route or the app's web page would open the URL for this caller; has no side effect.
  public func canOpen(_ url: String, origin: Origin = .native(module: nil)) -> Bool {
    do {
      _ = try resolve(url, origin: origin)
      return true
    } catch {
      switch error {
      case .notFound, .malformedURL: break
      case .forbidden where origin.isExternal: break
      default: return false
      }
      // Scheme and host decide whether the web page takes it; the rest of a web address need not keep the profile.
      let end = (try? redirected(url, for: origin)) ?? url
      return web != nil && (try? URLHead(end).isWeb) == true
    }
  }

  /// Writes the URL of a route.
  ///
  /// - Throws: `RouteError.parameter` with the first parameter that the route did not write or a URL cannot carry.
  public func url<R: Route>(for route: R) throws(RouteError) -> String {
    var output = RouteOutput(R.pattern)
    route.write(to: &output)
    return try output.url()
  }

  /// Finds the route of a URL: profile, match, exposure, parameters.
  func locate(_ text: String, _ origin: Origin) throws(RouteError) -> RouteTarget {
    let url: RouteURL
    do {
      let head = try URLHead(text)
      // A web address of others goes to the web page as it is; its path need not keep the profile.
      if head.isWeb, !registry.hosts.contains(head.host) { throw RouteError.notFound(url: text) }
      url = try RouteURL(text, head: head)
    } catch let fault as URLFault {
      throw .malformedURL(fault)
    } catch {
      throw .notFound(url: text)
    }
    guard let index = registry.trie.match(url) else { throw miss(url, origin) }
    let declaration = registry.routes[index]
    guard let pattern = declaration.pattern, let exposure = declaration.exposure,
      exposure.admits(origin, module: declaration.module)
    else { throw .forbidden(url: text, origin: origin) }
    let input = RouteInput(url: url, pattern: pattern, isFromOutside: origin.isExternal)
    try input.checkFields()
    return RouteTarget(
      declaration: declaration, value: try declaration.decode(input),
      summary: declaration.summary(url: text, parameters: input.firstTexts()), url: url)
  }

  /// Why a URL matches nothing, as far as this caller may know.
  private func miss(_ url: RouteURL, _ origin: Origin) -> RouteError {
    func isOpen(_ index: Int) -> Bool {
      let route = registry.routes[index]
      return route.exposure?.admits(origin, module: route.module) == true
    }
    if let index = registry.trie.match(url, leniency: .missingFields, where: isOpen),
      let field = registry.routes[index].pattern?.fields.first(where: {
        !$0.isOptional && !url.hasField(named: $0.key)
      })
    {
      return .parameter(name: field.name, reason: .missing)
    }
    if let index = registry.trie.match(url, leniency: [.missingFields, .kinds], where: isOpen),
      let segments = registry.routes[index].pattern?.segments
    {
      for (position, segment) in segments.enumerated() {
        if case .value(let name, let kind) = segment, !kind.matches(url.labelBytes(position + 1)) {
          return .parameter(name: name, reason: .notOfKind(kind))
        }
      }
    }
    if origin.isExternal { return .notFound(url: url.text) }
    let known = registry.routes.indices.lazy.filter(isOpen).compactMap { self.registry.routes[$0].pattern }
    return .notFound(url: url.text, nearest: NearestPattern.find(url, among: known)?.text)
  }
}
