extension Mediator {
  /// Opens a URL that came from outside the app, such as a link or a push message.
  ///
  /// The call takes no values beyond those in the URL, returns no result, and reaches only routes that are
  /// exposed to the source. An unknown URL and one that is not exposed have the same outcome, the app's
  /// fallback or `RouteError.notFound`; observers can tell them apart. If the mediator was created with
  /// `links`, the call waits until `ready()` has been called and the links before it have been opened. A call
  /// made by the code that opens such a link does not wait.
  ///
  /// The turn of a link ends when it begins to wait for the user: for the detour of a guard, or for the
  /// result of a screen. If the user leaves the detour, the link fails with `RouteError.rejected` and opens
  /// nothing later.
  ///
  /// - Throws: `RouteError.linkDropped` if the queue is full; `.linkSuperseded` if another link waits for the
  ///   same detour; `.cancelled` if the caller's task is cancelled while the link waits.
  public func receive(_ url: String, from source: LinkSource) async throws(RouteError) {
    guard let links, !links.isInside else {
      try await admit(url, source)
      return
    }
    let origin = Origin.external(source)
    do {
      // Malformed text fails at once, without a place in the queue.
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
      // An error from within the queue has not been reported to the observers yet.
      throw hasBegun ? error : failure(error, url, nil, origin)
    }
  }

  /// Opens the waiting links in order, and from now on opens links as they arrive.
  ///
  /// Call it when the navigator's host is on screen. Each waiting link starts when the one before it has
  /// finished. Has no effect if the mediator was created without `links`.
  public func ready() { links?.ready() }

  /// Makes links wait again, for instance while the app has no window or is locked.
  ///
  /// The link that is being opened continues. Has no effect if the mediator was created without `links`.
  public func hold() { links?.hold() }

  /// Ends the turn of the link that the current task opens, because the task waits for the user from now on.
  package func endLinkTurn() { links?.endTurn() }

  private func admit(_ url: String, _ source: LinkSource) async throws(RouteError) {
    let caller = Caller(origin: .external(source), wantsResult: false)
    _ = try await follow(.link(url, source), caller, expecting: nil)
  }
}
