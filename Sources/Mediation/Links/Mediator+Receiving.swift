extension Mediator {
  /// Opens a URL that came from outside the app: the only door for links and push messages.
  ///
  /// It takes no values but the URL's, gives no result and reaches only routes exposed to the source. An
  /// unknown URL and one that is not exposed end alike, in the app's fallback or in `RouteError.notFound`;
  /// observers see the difference. If the mediator was built with `links`, the URL waits here until `ready()`
  /// was called and the links before it have been opened. Code that runs inside such a link passes at once.
  ///
  /// - Throws: `RouteError.linkDropped` if too many links wait; `.cancelled` if the caller's task is
  ///   cancelled while it waits.
  public func receive(_ url: String, from source: LinkSource) async throws(RouteError) {
    guard let links, !links.isInside else {
      try await admit(url, source)
      return
    }
    let origin = Origin.external(source)
    do {
      // What is no URL at all need not wait, nor take up memory while it does.
      _ = try URLHead(url)
    } catch {
      throw failure(.malformedURL(error), url, nil, origin)
    }
    var hasBegun = false
    do throws(RouteError) {
      try await links.pass {
        observe(.linkWaits(url: url, source: source))
      } _: {
        hasBegun = true
        do throws(RouteError) {
          return .success(try await self.admit(url, source))
        } catch {
          return .failure(error)
        }
      }
    } catch {
      // What ends in the queue no other code has told the observers.
      throw hasBegun ? error : failure(error, url, nil, origin)
    }
  }

  /// Says that the app can show screens: links that waited are opened in their order, later ones at once.
  ///
  /// Call it when the navigator's host is on the screen. Each waiting link begins when the one before it has
  /// ended. Without `links` in the initialiser it does nothing.
  public func ready() { links?.ready() }

  /// Lets links wait again, for instance while the app has no window or is locked.
  ///
  /// What is being opened goes on. Without `links` in the initialiser it does nothing.
  public func hold() { links?.hold() }

  private func admit(_ url: String, _ source: LinkSource) async throws(RouteError) {
    let caller = Caller(origin: .external(source), wantsResult: false)
    if let head = try? URLHead(url), !source.fits(head) {
      _ = try await fallBack(url, asked: url, .forbidden(url: url, origin: caller.origin), caller)
      return
    }
    _ = try await open(url, caller: caller)
  }
}
