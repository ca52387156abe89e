import BodyFormats
public import Downloads
import HTTPTypes
public import Interception

extension APIClient {
  /// Downloads an API's content to a file, and resumes an earlier download of it.
  ///
  /// ```swift
  /// let outcome = try await client.download(FloorPlan(), FloorPlan.Params(home: 42), to: "/data/plan.pdf")
  /// ```
  ///
  /// It has the steps of ``load(_:_:cacheMode:reportingTo:)`` up to the pipeline, and `FileDownload` does the
  /// rest: the file is complete and on disk, or an unfinished one is kept beside it for the next call. It
  /// continues after a lost connection, and a file that is complete and unchanged is not transferred again,
  /// as the standard `DownloadPolicy` says. The content is neither cached nor validated by the API; the
  /// service's rule decides on a rejected status, without the content. The time limit of the whole attempt
  /// doesn't apply; set `RequestOptions.Timeouts.idle` in the endpoint's options.
  ///
  /// - Parameters:
  ///   - path: The target file, which is replaced at the end.
  ///   - identity: Identifies the content. It defaults to the URL; set it if common params change the URL
  ///     from call to call.
  ///   - meter: Receives the number of bytes in the file; it is finished when the function returns.
  /// - Throws: The error of a load. ``APIError/cause`` has a `DownloadFault` as `underlying` if the file
  ///   could not be written.
  @concurrent public func download<A: API>(
    _ api: A, _ params: A.Params, to path: String, identity: String? = nil,
    reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> FileDownload.Outcome {
    defer { meter?.finish() }
    let request = try startTransfer(api, params)
    return try await download(
      request, of: A.endpoint.details, to: path, identity: identity, reportingTo: meter)
  }

  /// Loads an API and returns its response as soon as the head has arrived, with the content as a stream.
  ///
  /// ```swift
  /// let response = try await client.stream(PriceChanges(), PriceChanges.Params(city: "Lodi"))
  /// for try await event in try ServerSentEvents(response) { show(event) }
  /// ```
  ///
  /// The status is checked before the function returns; the first 1 MiB of a rejected response's content
  /// becomes part of the error. The service's rule and the API's validator are not applied to an accepted
  /// response, because its content has not arrived yet. It is not cached, and the time limit of the whole
  /// attempt doesn't apply. Releasing the stream cancels the request.
  ///
  /// - Parameter meter: Receives the progress of both bodies; it is finished at the end of the stream.
  @concurrent public func stream<A: API>(
    _ api: A, _ params: A.Params, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> Response {
    do throws(APIError) {
      return try await stream(try startTransfer(api, params), of: api, reportingTo: meter)
    } catch {
      meter?.finish()
      throw error
    }
  }

  private func startTransfer<A: API>(_ api: A, _ initial: A.Params) throws(APIError) -> Request {
    guard !Task.isCancelled else {
      throw APIError(.cancelled, A.identity, reason: "The caller's task was already cancelled.")
    }
    var params = initial
    var request: Request
    do throws(ParamsError) {
      request = try prepareTransfer(api, &params)
    } catch {
      throw LoadRefusal.invalid(error).error(of: A.identity)
    }
    if case .refuse(let refusal) = decide(on: &request, to: A.endpoint.details).action {
      throw refusal.error(of: A.identity)
    }
    return request
  }
}

// The engine of downloads and streamed responses, which clients and managers share.
extension APIClient {
  /// The maximum number of bytes of a rejected response's content that become part of the error.
  private static var rejectedLimit: Int { 1 << 20 }

  /// Prepares a request whose response is not collected in memory, and which therefore no cache stores.
  func prepareTransfer<A: API>(_ api: A, _ params: inout A.Params) throws(ParamsError) -> Request {
    var request = try prepare(api, &params, cacheMode: nil).request
    request.context.cacheRule = .off
    request.context.cacheTags = []
    request.context.storageCheck = nil
    request.options.delivery = .streamed
    request.options.timeouts.whole = nil
    return request
  }

  /// Downloads the content of a response to a file.
  func download(
    _ request: Request, of details: EndpointDescription, to path: String, identity: String?,
    reportingTo meter: TransferMeter?
  ) async throws(APIError) -> FileDownload.Outcome {
    do throws(NetworkError) {
      let download = FileDownload(request, to: path, identity: identity)
      return try await run(download, over: dispatcher, reportingTo: meter)
    } catch {
      if case DownloadFault.status(let head)? = error.underlying {
        let response = APIResponse(
          api: details.identity, request: request.id, status: head.status, headerFields: head.headerFields,
          bytes: [], exchange: Exchange(attempts: error.attempt, retryRefusal: error.retryRefusal))
        throw rejection(of: response, by: details).of(request)
      }
      throw APIError(error, details.identity, request: request.id, isOffline: false).of(request)
    }
  }

  private func run(
    _ download: FileDownload, over dispatcher: some Dispatcher, reportingTo meter: TransferMeter?
  ) async throws(NetworkError) -> FileDownload.Outcome {
    try await download.run(over: dispatcher, reportingTo: meter)
  }

  /// Returns a response with an accepted status, as soon as its head has arrived.
  func stream<A: API>(
    _ request: Request, of api: A, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> Response {
    let details = A.endpoint.details
    let rejected: APIResponse
    do throws(NetworkError) {
      let response: Response
      if let meter {
        response = try await dispatcher.dispatch(request, reportingTo: meter)
      } else {
        response = try await dispatcher.dispatch(request)
      }
      if details.values.acceptedStatuses.contains(response.status.code) { return response }
      rejected = APIResponse(
        api: details.identity, request: request.id, status: response.status,
        headerFields: response.head.headerFields,
        bytes: await response.bytes(ofFirst: Self.rejectedLimit), exchange: response.exchange)
    } catch {
      throw APIError(error, details.identity, request: request.id, isOffline: false).of(request)
    }
    throw api.withFailureBody(rejection(of: rejected, by: details), details).of(request)
  }

  /// Returns the error of a response whose status is not accepted, as the service's rule decides.
  private func rejection(of response: APIResponse, by details: EndpointDescription) -> APIError {
    let error = details.rejection(of: response) { _ throws(ResponseError) in }
    return error ?? APIError(unacceptedStatusOf: response)
  }
}
