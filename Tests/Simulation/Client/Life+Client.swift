import APIManagers
import HTTPTypes
import Interception

/// By which part of the package a call is sent.
enum CallWay: Sendable {
  /// The chain itself.
  case pipeline
  /// A client's load, whose output is the response.
  case response
  /// A client's load, whose output is decoded, and cached by the app's own rule.
  case content
  /// A client's stored output, and then the server's.
  case updates
}

extension Life {
  /// The client of a call, whose requests name it.
  func client(of call: Call, _ id: Int) -> APIClient {
    var client = client
    var fields: HTTPFields = [World.callField: String(id)]
    fields[.acceptLanguage] = call.language
    client.common = CommonFields(headerFields: { [fields] _ in fields })
    return client
  }

  /// Sends a call through the client, and returns what its caller got.
  ///
  /// There is no response if the only output was the stored one.
  func load(_ call: Call, _ id: Int) async -> Result<(Response, [UInt8])?, NetworkError> {
    let client = client(of: call, id)
    guard let path = ResourcePath(call.path) else {
      return .failure(NetworkError(.rejected, "\(call.path) is not a resource's path."))
    }
    let mode: CacheRule.Mode? = call.mode == .useFresh ? nil : call.mode
    do throws(APIError) {
      if call.isWrite { return .success(received(try await client.load(ResourceChange(), path))) }
      switch call.way {
      case .content:
        let content = try await client.load(ContentLoad(), path, cacheMode: mode)
        // The client doesn't say how it got the content.
        return .success((Response(HTTPResponse(status: .ok)), content.bytes))
      case .updates: return .success(try await updates(of: path, client, id))
      default: return .success(received(try await client.load(ResourceLoad(), path, cacheMode: mode)))
      }
    } catch { return outcome(of: error) }
  }

  private func updates(
    of path: ResourcePath, _ client: APIClient, _ id: Int
  ) async throws(APIError) -> (Response, [UInt8])? {
    var last: (Response, [UInt8])?
    var outputs = client.updates(of: ResourceLoad(), path).makeAsyncIterator()
    var count = 0
    while let response = try await outputs.next() {
      count += 1
      if count == 1, response.isFromCache {
        world.checks.showed(id, received(response))
      } else {
        last = received(response)
      }
    }
    if count > 2 { world.checks.fail(.freshness, "call \(id) got \(count) outputs, not two at most") }
    return last
  }

  /// Adds an item to a list, whose stored pages become stale.
  func add(to list: Int, _ call: Call, _ id: Int) async -> Result<(Response, [UInt8])?, NetworkError> {
    let client = client(of: call, id)
    do throws(APIError) {
      let response = try await tags.mutation(of: [PageLoad.tag(of: list)]) { () throws(APIError) in
        try await client.load(ItemAddition(), list)
      }
      return .success(received(response))
    } catch { return outcome(of: error) }
  }

  /// Reads a list completely.
  func export(_ list: Int, size: Int, looksAhead: Bool, pauses: Bool, _ first: Int) async {
    let (world, start, account) = (world, world.checks.moment(), account)
    let pages = PagedItems<ListItem>(size: size, looksAhead: looksAhead) { [unowned self] page in
      try await self.page(page, of: list, first + page.index)
    }
    var items: [ListItem] = []
    do {
      for try await item in pages {
        items.append(item)
        if pauses { await world.clock.pause(for: .milliseconds(200)) }
      }
      guard !Task.isCancelled else { return }
      world.checks.exported(items, of: list, account: account, since: start)
    } catch let error as PagingError {
      world.checks.count("export: paging error")
      if ListServer.hasCursors(list) {
        world.checks.fail(.freshness, "the pages of list \(list) have no end: \(error)")
      }
    } catch { world.checks.count("export: failed") }
  }

  private func page(
    _ page: PageRequest, of list: Int, _ id: Int
  ) async throws -> PageContent<ListItem> {
    let call = Call(path: "/lists/\(list)")
    world.checks.begin(id, call, self)
    do {
      let response = try await client(of: call, id).load(PageLoad(), PageLoad.Params(list: list, page: page))
      world.checks.ended(id, .success(received(response)))
      guard let body = PageBody(response.bytes) else {
        throw DecodingMismatchError("The body is not a page's.")
      }
      return body.pageContent(of: list)
    } catch let error as APIError {
      if Task.isCancelled { world.checks.cancel(id) }
      world.checks.ended(id, outcome(of: error))
      throw error
    }
  }

  private func received(_ response: APIResponse) -> (Response, [UInt8]) {
    let head = HTTPResponse(status: response.status, headerFields: response.headerFields)
    return (Response(head, exchange: response.exchange), response.bytes)
  }

  private func outcome(of error: APIError) -> Result<(Response, [UInt8])?, NetworkError> {
    world.checks.search("the error of a client", "\(error) \(error.label)")
    if let response = error.response { return .success(received(response)) }
    if let cause = error.cause { return .failure(cause) }
    switch error.kind {
    case .cancelled: return .failure(NetworkError(.cancelled(.task), error.reason))
    case .offline: return .failure(NetworkError(.offline, error.reason))
    default: return .failure(NetworkError(.rejected, error.reason))
    }
  }
}
